// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from games that the organisms play against each other: points are to be made.
#include "base/hash.h"
#include "base/mem.h"
#include "evolve/encounters.h"
#include "evolve/random.h"
#include "fitness/fitness.h"
#include "fitness/game_openings.h"
#include "fitness/games/sensitivity.h"
#include "fitness/ranking.h"
#include "search/search_family.h"
#include "settings/start.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A score is a share of all points that could be made, so that it means the same however many
// organisms an algorithm lets play at a time.
enum { POINTS_ALL = 1000000 };

typedef struct Play {
    Games *games;
    GamesConfig config;
    Weights evaluation; // of organisms that are searches
    GameOpenings openings;
    GameSchedule schedule;
    unsigned match_games;
    Weights *organisms; // of a batch
    size_t organism_capacity;
    GameTask *tasks; // of a batch, too, with what came of them
    GameScore *scores;
    size_t task_count, task_capacity, result_capacity;
    double *units;                    // of each parameter; NULL where the algorithm asks for none
    Encounters met;                   // of the generation that plays
    uint32_t met_run, met_generation; // which that is, where organisms meet
} Play;

static Play *play_of(const Problem *problem) {
    return problem->state;
}

static void unload(Problem *problem) {
    Play *play = play_of(problem);
    games_destroy(play->games);
    game_openings_free(&play->openings);
    weights_free(&play->evaluation);
    encounters_free(&play->met);
    free(play->units);
    free(play->organisms);
    free(play->tasks);
    free(play->scores);
    free(play);
}

// --- reading the settings ---

// All that games depend on.
static uint64_t hash_of(const Problem *problem) {
    const Play *play = play_of(problem);
    const uint64_t search = play->config.profile | (uint64_t)play->config.checks << 8;
    const uint64_t settings[] = {search,
                                 play->config.hash_mb,
                                 play->config.nodes,
                                 (uint64_t)play->config.depth,
                                 play->schedule,
                                 (uint64_t)play->config.max_moves,
                                 play->match_games,
                                 play->openings.from_initial};
    uint64_t hash = hash_bytes(HASH_START, settings, sizeof settings);
    // What version 0.2 did not have leaves the hash as it was where it is off.
    if (play->config.is_adjudicated)
        hash = hash_bytes(hash, "adjudicated", 11);
    if (play->config.evaluation != NULL) {
        const uint64_t evaluation = weights_digest(play->config.evaluation);
        hash = hash_bytes(hash, &evaluation, sizeof evaluation);
    }
    hash = game_openings_hash(&play->openings, hash);
    return hash_bytes(hash, problem->starts.organisms,
                      problem->starts.count * problem->space.space.count * sizeof(double));
}

static void describe(const Play *play, Str *out) {
    if (play->config.nodes > 0)
        str_addf(out, "%" PRIu64 " nodes", play->config.nodes);
    if (play->config.depth > 0)
        str_addf(out, "%s%d plies", play->config.nodes > 0 ? " or " : "", play->config.depth);
    if (play->config.evaluation != NULL)
        str_addf(out, " a move, evaluation %s", play->evaluation.family->name);
    else
        str_addf(out, " a move, search %s%s", profile_name(play->config.profile),
                 play->config.checks ? " with checks" : "");
    str_addf(out, ", a draw after %d moves; ", play->config.max_moves);
    str_add(out, play->config.is_adjudicated ? "adjudicated by both players; " : "");
    game_openings_describe(&play->openings, out);
}

// A unit of each parameter is what moves the score by a centipawn on average, but no more than so
// many centipawns of what is rare: a search finds the rare position whose score is far too high. Of
// a search, which has no score of its own, it is a hundredth of the range.
enum { UNIT_MAX = 5 };

static Status measure_units(Problem *problem) {
    Play *play = play_of(problem);
    double *units = play->units = mem_alloc_zero(TERMS_MAX, sizeof *units);
    Weights organism;
    size_t count;
    for (size_t i = 0; i < problem->family->term_count; i++)
        units[i] = (problem->family->terms[i].high - problem->family->terms[i].low) / 100.0;
    if (problem->family == &family_search)
        return OK;
    const double *start = problem_start(problem, &count);
    if (count > 0)
        problem_weights(problem, start, &organism);
    else
        weights_init(&organism, problem->family);
    // From the initial position all games of an organism with itself would be the same.
    const GameOpenings *openings = &play->openings;
    TRY(sensitivity_measure(&play->config, &organism, openings->positions,
                            openings->from_initial ? openings->count : openings->evolution,
                            problem->pool, units));
    const double most = UNIT_MAX * problem->family->unit;
    for (size_t i = 0; i < problem->family->term_count; i++)
        units[i] = units[i] > 0 ? fmin(1 / units[i], most) : most;
    return OK;
}

// Fills the population up with variations of the organisms to begin with.
static void spread_starts(Problem *problem, const RunConfig *config) {
    StartOrganisms *starts = &problem->starts;
    const EvolveSpace *space = &problem->space.space;
    const size_t width = space->count, given = starts->count;
    const size_t wanted = (size_t)config->algorithm.values[OPTION_POPULATION];
    const double *units = play_of(problem)->units;
    starts->organisms = mem_grow(starts->organisms, &starts->capacity, wanted * width + 1,
                                 sizeof *starts->organisms);
    for (; starts->count < wanted; starts->count++) {
        Rng rng = evolve_rng(problem->seed, 0, 0, (uint32_t)starts->count, USE_SPREAD);
        const double *from = starts->organisms + starts->count % given * width;
        double *to = starts->organisms + starts->count * width;
        for (size_t j = 0; j < width; j++) {
            const EvolveParameter *box = &space->parameters[j];
            const double reach =
                fmin((box->high - box->low) / 4, units[j] * (double)config->start_spread);
            to[j] = space_nearest(space, j, from[j] + reach * random_normal(&rng));
        }
    }
}

static Status load(Problem *problem, const RunConfig *config) {
    Play *play = problem->state = mem_alloc_zero(1, sizeof *play);
    if (problem->space.has_tempo)
        return error_set(ERR_ARG, "tempo is no part of a family: no organism could play with it");
    play->config = (GamesConfig){.profile = (Profile)config->profile,
                                 .checks = config->quiescence_checks,
                                 .hash_mb = (size_t)config->hash,
                                 .nodes = (uint64_t)config->play_nodes,
                                 .depth = (int)config->play_depth,
                                 .max_moves = (int)config->max_moves,
                                 .is_adjudicated = config->adjudicate};
    if (problem->family == &family_search) {
        TRY(problem_load_evaluation(config, &play->evaluation));
        play->config.evaluation = &play->evaluation;
    }
    play->schedule = (GameSchedule)config->schedule;
    play->match_games = (unsigned)config->match_games;
    play->games = games_create(&play->config, problem->pool);
    TRY(game_openings_load(&play->openings, problem, config));
    TRY(start_read(&problem->space, config, &problem->starts));
    const bool is_spread =
        config->start_spread > 0 && config->algorithm.algorithm->ask_meetings == NULL;
    if (is_spread && problem->starts.count == 0)
        return error_set(ERR_ARG,
                         "start-spread needs organisms to vary: name some with start-from");
    if (is_spread && config->algorithm.algorithm->takes_one_start)
        return error_set(ERR_ARG, "start-spread: %s begins with one organism",
                         config->algorithm.algorithm->name);
    if (is_spread || config->algorithm.algorithm->uses_units)
        TRY(measure_units(problem));
    if (is_spread)
        spread_starts(problem, config);
    problem->data[SET_TRAINING].hash = hash_of(problem);
    describe(play, &problem->data[SET_TRAINING].about);
    return OK;
}

// --- what is to be played ---

static void begin_tasks(Problem *problem, const EvolveBatch *batch) {
    Play *play = play_of(problem);
    play->organisms =
        mem_grow(play->organisms, &play->organism_capacity, batch->count, sizeof *play->organisms);
    for (size_t i = 0; i < batch->count; i++)
        problem_weights(problem, batch->parameters + i * batch->width, &play->organisms[i]);
    play->task_count = 0;
}

static void add_task(Play *play, size_t white, size_t black, const Position *start) {
    MEM_ADD(play->tasks, play->task_count, play->task_capacity) = (GameTask){white, black, *start};
}

static Status play_tasks(Play *play) {
    play->scores =
        mem_grow(play->scores, &play->result_capacity, play->task_count + 1, sizeof *play->scores);
    return games_play(play->games, play->organisms, play->tasks, play->task_count, play->scores,
                      NULL);
}

static void count_tasks(Play *play) {
    for (size_t i = 0; i < play->task_count; i++)
        encounters_add(&play->met, play->tasks[i].white, play->tasks[i].black,
                       play->scores[i].half_points);
}

static Position draw_opening(const Problem *problem, const EvolveBatch *batch, uint32_t run,
                             uint32_t use, unsigned number) {
    return game_openings_draw(&play_of(problem)->openings, problem, run, batch->generation, use,
                              number);
}

// Every pair from the same openings, each with both colours.
static void plan_round_robin(Problem *problem, uint32_t run, const EvolveBatch *batch) {
    Play *play = play_of(problem);
    for (unsigned game = 0; game < play->match_games; game++) {
        const Position start = draw_opening(problem, batch, run, 0, game / 2);
        for (size_t i = 0; i < batch->count; i++)
            for (size_t j = i + 1; j < batch->count; j++)
                if (game % 2 == 0)
                    add_task(play, i, j, &start);
                else
                    add_task(play, j, i, &start);
    }
}

// Everybody's own games against others, opponents and colours at random.
static void plan_random(Problem *problem, uint32_t run, const EvolveBatch *batch) {
    Play *play = play_of(problem);
    const uint32_t others = (uint32_t)batch->count - 1;
    for (uint32_t i = 0; i <= others; i++) {
        Rng rng = evolve_rng(problem->seed, run, batch->generation, i, USE_OPPONENTS);
        for (unsigned game = 0; game < play->match_games; game++) {
            const Position start = draw_opening(problem, batch, run, i, game);
            const size_t other = (i + 1 + rng_below(&rng, others)) % batch->count;
            const bool is_white = rng_below(&rng, 2) == 0;
            add_task(play, is_white ? i : other, is_white ? other : i, &start);
        }
    }
}

// --- scores and results ---

static void count_half_points(unsigned half_points, EvolveResult *result) {
    result->wins += half_points == 2;
    result->draws += half_points == 1;
    result->losses += half_points == 0;
}

// Adds two games from an opening of their own, and what comes of them.
static void add_pair(Problem *problem, uint32_t run, const EvolveBatch *batch,
                     const EvolveMeeting *meeting, uint32_t number) {
    Play *play = play_of(problem);
    const Position start = draw_opening(problem, batch, run, number, 0);
    add_task(play, meeting->first, meeting->second, &start);
    add_task(play, meeting->second, meeting->first, &start);
}

static void take_pairs(const Play *play, EvolveResult *results) {
    for (size_t i = 0; i < play->task_count; i++) {
        const unsigned white = play->scores[i].half_points;
        if (i % 2 == 0)
            results[i / 2] = (EvolveResult){0};
        count_half_points(i % 2 == 0 ? white : 2 - white, &results[i / 2]);
    }
}

// The score is the share of points that the rating promises against the mean.
static Status race(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores) {
    Play *play = play_of(problem);
    const size_t all = batch->count * (batch->count - 1) / 2;
    CLEANUP(ranking_free_at)
    Ranking *ranking = ranking_new(batch->count, play->match_games * all / 2);
    CLEANUP(mem_free_at) EvolveResult *results = mem_alloc((all + 1) * sizeof *results);
    uint32_t number = 0;
    for (;;) {
        size_t count;
        const EvolveMeeting *meetings = ranking_ask(ranking, &count);
        if (count == 0)
            break;
        begin_tasks(problem, batch);
        for (size_t i = 0; i < count; i++)
            add_pair(problem, run, batch, &meetings[i], number++);
        TRY(play_tasks(play));
        count_tasks(play);
        take_pairs(play, results);
        ranking_tell(ranking, results);
    }
    for (size_t i = 0; i < batch->count; i++)
        scores[i] = llround(POINTS_ALL * elo_to_score(ranking_elo(ranking)[i]));
    return OK;
}

static Status evaluate(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores) {
    Play *play = play_of(problem);
    encounters_clear(&play->met);
    if (play->schedule == GAMES_RACE)
        return race(problem, run, batch, scores);
    const bool is_round_robin = play->schedule == GAMES_ROUND_ROBIN;
    begin_tasks(problem, batch);
    if (is_round_robin)
        plan_round_robin(problem, run, batch);
    else
        plan_random(problem, run, batch);
    const Status status = play_tasks(play);
    if (status == OK)
        count_tasks(play);
    memset(scores, 0, batch->count * sizeof *scores);
    for (size_t i = 0; i < play->task_count && status == OK; i++) {
        const GameTask *task = &play->tasks[i];
        // In games against random opponents the points are those of whose games they are.
        const size_t owner = i / play->match_games;
        if (is_round_robin || task->white == owner)
            scores[task->white] += play->scores[i].half_points;
        if (is_round_robin || task->black == owner)
            scores[task->black] += 2 - play->scores[i].half_points;
    }
    const size_t most = 2 * play->match_games * (is_round_robin ? batch->count - 1 : 1);
    for (size_t i = 0; i < batch->count; i++)
        scores[i] = (scores[i] * POINTS_ALL + (int64_t)most / 2) / (int64_t)most;
    return status;
}

// A generation may meet in several batches.
static void count_meetings(Play *play, uint32_t run, uint32_t generation) {
    if (play->met_run != run || play->met_generation != generation)
        encounters_clear(&play->met);
    play->met_run = run;
    play->met_generation = generation;
    count_tasks(play);
}

static Status play_meetings(Problem *problem, uint32_t run, PlayPurpose purpose,
                            const EvolveBatch *batch, const EvolveMeeting *meetings, size_t count,
                            EvolveResult *results) {
    Play *play = play_of(problem);
    const bool is_playoff = purpose == PLAY_FOR_PLAYOFF && play->openings.playoff > 0;
    begin_tasks(problem, batch);
    for (size_t i = 0; i < count; i++)
        for (unsigned game = 0; game < meetings[i].games; game++) {
            const size_t first = meetings[i].first, second = meetings[i].second;
            const Position start =
                is_playoff
                    ? game_openings_of_playoff(&play->openings, run, batch->generation, game / 2)
                    : draw_opening(problem, batch, run, (uint32_t)first, game / 2);
            add_task(play, game % 2 == 0 ? first : second, game % 2 == 0 ? second : first, &start);
        }
    const Status status = play_tasks(play);
    if (status == OK && purpose == PLAY_FOR_EVOLUTION)
        count_meetings(play, run, batch->generation);
    memset(results, 0, count * sizeof *results);
    for (size_t i = 0, task = 0; i < count && status == OK; i++)
        for (unsigned game = 0; game < meetings[i].games; game++, task++) {
            const unsigned white = play->scores[task].half_points;
            count_half_points(game % 2 == 0 ? white : 2 - white, &results[i]);
            results[i].plies += play->scores[task].plies;
        }
    return status;
}

static Status duel(Problem *problem, const EvolveBatch *players, uint64_t first, size_t pairs,
                   DuelScore *score) {
    Play *play = play_of(problem);
    const size_t unseen = game_openings_unseen(&play->openings), opponents = players->count - 1;
    begin_tasks(problem, players);
    for (uint64_t pair = first; pair < first + pairs; pair++) {
        const uint64_t opening = pair % unseen;
        const Position *start = game_openings_of_verdict(&play->openings, opening);
        // Once all openings were played, everybody gets the one that was the neighbour's.
        const size_t opponent = 1 + (opening + pair / unseen) % opponents;
        add_task(play, 0, opponent, start);
        add_task(play, opponent, 0, start);
    }
    const Status status = play_tasks(play);
    for (size_t i = 0; i < pairs && status == OK; i++) {
        const unsigned white = play->scores[2 * i].half_points,
                       black = 2 - play->scores[2 * i + 1].half_points;
        const unsigned results[] = {white, black};
        for (int game = 0; game < 2; game++) {
            score->games.wins += results[game] == 2;
            score->games.draws += results[game] == 1;
            score->games.losses += results[game] == 0;
        }
        score->pairs.results[white + black]++;
    }
    return status;
}

static size_t playoff_openings(const Problem *problem) {
    return game_openings_of_stage(&play_of(problem)->openings);
}

static const Encounter *met(Problem *problem, size_t *count) {
    return encounters_sum(&play_of(problem)->met, count);
}

static const double *units(const Problem *problem) {
    return play_of(problem)->units;
}

static size_t duel_pairs(const Problem *problem) {
    const Play *play = play_of(problem);
    return game_openings_unseen(&play->openings);
}

static const GameFitness games = {evaluate,   play_meetings,    met,  duel,
                                  duel_pairs, playoff_openings, units};

const FitnessKind fitness_games = {
    .goal = {.title = "Evolution by games",
             .meaning = "Points are the share, in percent, of those that could have been made.",
             .curve = "Points by generation",
             .curve_note = "The best organism of each generation. Opponents get better as it does: "
                           "points of different generations say nothing about each other, and "
                           "their mean is always 50.",
             .name = "points",
             .unit = "percent of points",
             .short_unit = "%",
             .per_position = 100.0 / POINTS_ALL,
             .watched = SET_TEST},
    .load = load,
    .unload = unload,
    .games = &games,
};
