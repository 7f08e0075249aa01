// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from games that the organisms play against each other: points are to be made.
#include "base/hash.h"
#include "base/locate.h"
#include "base/mem.h"
#include "evolve/random.h"
#include "fitness/fitness.h"
#include "fitness/games/sensitivity.h"
#include "fitness/ranking.h"
#include "match/play/openings.h"
#include "settings/start.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPENING_PLIES = 16 }; // where openings are whole games
// A score is a share of all points that could be made, so that it means the same however many
// organisms an algorithm lets play at a time.
enum { POINTS_ALL = 1000000 };
enum { PLAYOFF_STAGES = 4 }; // that have openings of their own

typedef struct Play {
    Games *games;
    GamesConfig config;
    Position *openings; // in an order that depends on the seed
    size_t opening_count;
    size_t evolution;  // the first so many are for evolution, the others for the verdict
    size_t playoff;    // of evolution's, the last so many are for the play-off
    bool from_initial; // evolution's games begin at the initial position instead
    GameSchedule schedule;
    unsigned match_games;
    Weights *organisms; // of a batch
    size_t organism_capacity;
    GameTask *tasks; // of a batch, too, with what came of them
    GameScore *scores;
    size_t task_count, task_capacity, result_capacity;
    double *units; // of each parameter; NULL where the algorithm asks for none
} Play;

static Play *play_of(const Problem *problem) {
    return problem->state;
}

static void unload(Problem *problem) {
    Play *play = play_of(problem);
    games_destroy(play->games);
    free(play->openings);
    free(play->units);
    free(play->organisms);
    free(play->tasks);
    free(play->scores);
    free(play);
}

// --- reading the settings ---

// Adds the positions that the openings lead to.
static void keep_openings(Play *play, const Openings *openings, size_t count) {
    play->openings =
        mem_resize(play->openings, (play->opening_count + count) * sizeof *play->openings);
    for (size_t i = 0; i < count; i++) {
        Opening opening;
        Undo undo;
        openings_at(openings, i, &opening);
        for (size_t move = 0; move < opening.count; move++)
            position_make(&opening.start, opening.moves[move], &undo);
        play->openings[play->opening_count++] = opening.start;
    }
}

// Adds those of a file, in random order. A book has no end, and so cannot be shared out.
static Status add_openings(Problem *problem, const char *name) {
    SetFiles *files = &problem->files[SET_TRAINING];
    CLEANUP(openings_free_at) Openings *openings = NULL;
    TRY(locate("data", name, &files->paths[files->count]));
    const char *path = str_text(&files->paths[files->count++]);
    const OpeningsConfig what = {.path = path,
                                 .format = openings_guess_format(path),
                                 .plies = OPENING_PLIES,
                                 .is_random = true,
                                 .seed = problem->seed};
    TRY(openings_load(&openings, &what));
    if (openings_count(openings) == 0)
        return error_set(ERR_ARG, "%s: positions or games are needed, not a book", path);
    keep_openings(play_of(problem), openings, openings_count(openings));
    return OK;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

// What a verdict is played from, evolution must not have seen.
static Status check_openings_differ(const Play *play, const char *verdict) {
    const size_t evolution = play->evolution;
    CLEANUP(mem_free_at) uint64_t *keys = mem_alloc((evolution + 1) * sizeof *keys);
    for (size_t i = 0; i < evolution; i++)
        keys[i] = play->openings[i].key;
    qsort(keys, evolution, sizeof *keys, compare_keys);
    for (size_t i = evolution; i < play->opening_count; i++)
        if (bsearch(&play->openings[i].key, keys, evolution, sizeof *keys, compare_keys) != NULL)
            return error_set(ERR_ARG, "%s: an opening of the verdict is one of evolution's, too",
                             verdict);
    return OK;
}

static Status load_openings(Problem *problem, const RunConfig *config) {
    Play *play = play_of(problem);
    const char *verdict = str_text(&config->verdict_openings);
    play->from_initial = config->initial_position;
    TRY(add_openings(problem, str_text(&config->openings)));
    play->evolution = play->from_initial ? 0 : play->opening_count / 2;
    if (!play->from_initial && play->evolution == 0)
        return error_set(ERR_ARG, "%s: two openings at least are needed",
                         str_text(&problem->files[SET_TRAINING].paths[0]));
    if (*verdict != '\0') {
        play->evolution = play->from_initial ? 0 : play->opening_count;
        TRY(add_openings(problem, verdict));
        TRY(check_openings_differ(play, verdict));
    }
    play->playoff = config->playoff_games > 0 ? play->evolution / 4 : 0;
    return OK;
}

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
                                 play->from_initial};
    uint64_t hash = hash_bytes(HASH_START, settings, sizeof settings);
    // What version 0.2 did not have leaves the hash as it was where it is off.
    if (play->config.is_adjudicated)
        hash = hash_bytes(hash, "adjudicated", 11);
    if (play->playoff > 0)
        hash = hash_bytes(hash, &play->playoff, sizeof play->playoff);
    for (size_t i = 0; i < play->opening_count; i++)
        hash = hash_bytes(hash, &play->openings[i].key, sizeof hash);
    return hash_bytes(hash, problem->starts.organisms,
                      problem->starts.count * problem->space.space.count * sizeof(double));
}

static void describe(const Play *play, Str *out) {
    if (play->config.nodes > 0)
        str_addf(out, "%" PRIu64 " nodes", play->config.nodes);
    if (play->config.depth > 0)
        str_addf(out, "%s%d plies", play->config.nodes > 0 ? " or " : "", play->config.depth);
    str_addf(out, " a move, search %s%s, a draw after %d moves; ",
             profile_name(play->config.profile), play->config.checks ? " with checks" : "",
             play->config.max_moves);
    str_add(out, play->config.is_adjudicated ? "adjudicated by both players; " : "");
    if (play->from_initial)
        str_addf(out, "evolution plays from the initial position, the verdict from %zu openings",
                 play->opening_count);
    else
        str_addf(out, "%zu openings for evolution, %zu others for the verdict", play->evolution,
                 play->opening_count - play->evolution);
}

// A unit of each parameter is what moves the score by a centipawn on average.
static Status measure_units(Problem *problem) {
    Play *play = play_of(problem);
    double *units = play->units = mem_alloc_zero(TERMS_MAX, sizeof *units);
    Weights organism;
    if (problem->starts.count > 0)
        problem_weights(problem, problem->starts.organisms, &organism);
    else
        weights_init(&organism, problem->family);
    TRY(sensitivity_measure(&play->config, &organism, play->openings, play->evolution,
                            problem->pool, units));
    // What no position shows may take any value.
    for (size_t i = 0; i < problem->family->term_count; i++)
        units[i] = units[i] > 0 ? 1 / units[i] : INFINITY;
    return OK;
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
    play->schedule = (GameSchedule)config->schedule;
    play->match_games = (unsigned)config->match_games;
    play->games = games_create(&play->config, problem->pool);
    TRY(load_openings(problem, config));
    TRY(start_read(&problem->space, config, &problem->starts));
    if (config->algorithm.algorithm->uses_units)
        TRY(measure_units(problem));
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

// The opening of that number, of those that were drawn for one purpose.
static Position draw_opening(const Problem *problem, const EvolveBatch *batch, uint32_t run,
                             uint32_t use, unsigned number) {
    const Play *play = play_of(problem);
    Position start;
    position_set_start(&start);
    if (play->from_initial)
        return start;
    Rng rng = evolve_rng(problem->seed, run, batch->generation, use, USE_OPENINGS);
    const uint32_t count = (uint32_t)(play->evolution - play->playoff),
                   first = rng_below(&rng, count);
    // They stand in random order: neighbours are as good as any others.
    return play->openings[(first + number) % count];
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
        take_pairs(play, results);
        ranking_tell(ranking, results);
    }
    for (size_t i = 0; i < batch->count; i++)
        scores[i] = llround(POINTS_ALL * elo_to_score(ranking_elo(ranking)[i]));
    return OK;
}

static Status evaluate(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores) {
    Play *play = play_of(problem);
    if (play->schedule == GAMES_RACE)
        return race(problem, run, batch, scores);
    const bool is_round_robin = play->schedule == GAMES_ROUND_ROBIN;
    begin_tasks(problem, batch);
    if (is_round_robin)
        plan_round_robin(problem, run, batch);
    else
        plan_random(problem, run, batch);
    const Status status = play_tasks(play);
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

// The openings of a stage of a play-off: the same for all of its meetings, and none of earlier
// stages as long as there are others.
static Position playoff_opening(const Problem *problem, const EvolveBatch *batch, uint32_t run,
                                unsigned number) {
    const Play *play = play_of(problem);
    const size_t share = play->playoff / PLAYOFF_STAGES + 1;
    const size_t at = (size_t)batch->generation * share + (size_t)run * PLAYOFF_STAGES * share;
    return play->openings[play->evolution - play->playoff + (at + number) % play->playoff];
}

static Status play_meetings(Problem *problem, uint32_t run, PlayPurpose purpose,
                            const EvolveBatch *batch, const EvolveMeeting *meetings, size_t count,
                            EvolveResult *results) {
    Play *play = play_of(problem);
    const bool is_playoff = purpose == PLAY_FOR_PLAYOFF && play->playoff > 0;
    begin_tasks(problem, batch);
    for (size_t i = 0; i < count; i++)
        for (unsigned game = 0; game < meetings[i].games; game++) {
            const size_t first = meetings[i].first, second = meetings[i].second;
            const Position start =
                is_playoff ? playoff_opening(problem, batch, run, game / 2)
                           : draw_opening(problem, batch, run, (uint32_t)first, game / 2);
            add_task(play, game % 2 == 0 ? first : second, game % 2 == 0 ? second : first, &start);
        }
    const Status status = play_tasks(play);
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
    const size_t unseen = play->opening_count - play->evolution, opponents = players->count - 1;
    begin_tasks(problem, players);
    for (uint64_t pair = first; pair < first + pairs; pair++) {
        const uint64_t opening = pair % unseen;
        const Position *start = &play->openings[play->evolution + opening];
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

static const double *units(const Problem *problem) {
    return play_of(problem)->units;
}

static size_t duel_pairs(const Problem *problem) {
    const Play *play = play_of(problem);
    return play->opening_count - play->evolution;
}

static const GameFitness games = {evaluate, play_meetings, duel, duel_pairs, units};

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
