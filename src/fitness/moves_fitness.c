// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from the moves that were played: the number of positions in which the organism, at one
// ply, chooses the same move is to be made large.
#include "base/mem.h"
#include "fitness/fitness.h"
#include "fitness/moves/forest_estimate.h"
#include "fitness/moves/forest_gradient.h"
#include "fitness/moves/forest_spill.h"
#include "fitness/moves/leaf_descent.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Moves {
    PlayedSet sets[SET_NB];
    Forest *forests[SET_NB]; // NULL where there is no such set
    ForestRules rules;
    ForestOrder order;
    size_t max_bytes;
    bool *wanted; // of the training set: the sample of a generation
    // With leaves, the training set as evolution knows it may be the first positions alone. These
    // are how many there are in all, and what each round over their leaves came to.
    size_t leaf_positions, step_positions;
    LeafRound *rounds; // NULL where there are no leaves
    unsigned round_count, best_round;
} Moves;

static Moves *moves_of(const Problem *problem) {
    return problem->state;
}

// The last positions of the training set are set aside.
static Status set_aside(Moves *moves, size_t count) {
    PlayedSet *training = &moves->sets[SET_TRAINING], *validation = &moves->sets[SET_VALIDATION];
    if (count == 0)
        return OK;
    if (count >= training->count)
        return error_set(ERR_ARG, "%zu positions cannot be set aside from %zu", count,
                         training->count);
    training->count -= count;
    validation->items = mem_alloc(count * sizeof *validation->items);
    memcpy(validation->items, training->items + training->count, count * sizeof *validation->items);
    validation->count = count;
    validation->hash = training->hash;
    validation->totals = (PlayedTotals){.lines = count, .used = count};
    return OK;
}

// Positions of openings may occur in both sets; the test is one of what was not learned from.
static Status cut_sets(const Problem *problem, const RunConfig *config) {
    Moves *moves = moves_of(problem);
    PlayedSet *training = &moves->sets[SET_TRAINING], *test = &moves->sets[SET_TEST];
    const size_t most = config->positions > 0 ? (size_t)config->positions : SIZE_MAX;
    if (training->count > most)
        training->count = most;
    if (test->count > 0)
        TRY_PREFIX(played_set_leave_out(test, training), "%s",
                   str_text(&problem->files[SET_TEST].paths[0]));
    if (test->count > most)
        test->count = most;
    return set_aside(moves, (size_t)config->validation);
}

static void unload(Problem *problem) {
    Moves *moves = moves_of(problem);
    for (int set = 0; set < SET_NB; set++) {
        played_set_free(&moves->sets[set]);
        forest_free(moves->forests[set]);
    }
    free(moves->wanted);
    free(moves->rounds);
    free(moves);
}

typedef struct Planting {
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    ForestConfig config; // borrows these
} Planting;

// All forests together stay within the memory, each with a share for its positions.
static void plan_planting(const Problem *problem, ProblemSet set, Planting *out) {
    const Moves *moves = moves_of(problem);
    size_t positions = 0;
    for (int i = 0; i < SET_NB; i++)
        positions += moves->sets[i].count;
    const double share = (double)moves->sets[set].count / (double)positions;
    family_limits(problem->family, out->limits);
    family_start(problem->family, out->guide);
    out->config = (ForestConfig){.family = problem->family,
                                 .rules = moves->rules,
                                 .limits = out->limits,
                                 .guide = out->guide,
                                 .max_bytes = (size_t)(share * (double)moves->max_bytes),
                                 .folder = forest_spill_folder(),
                                 .order = set == SET_TRAINING ? moves->order : ORDER_STATIC};
}

static Forest *plant(const Problem *problem, ProblemSet set) {
    Planting planting;
    plan_planting(problem, set, &planting);
    return forest_new(FOREST_CHOICES, &moves_of(problem)->sets[set], &planting.config);
}

// Nothing grows before somebody is judged.
static void plant_all(const Problem *problem) {
    Moves *moves = moves_of(problem);
    for (int set = 0; set < SET_NB; set++)
        if (moves->sets[set].count > 0)
            moves->forests[set] = plant(problem, (ProblemSet)set);
}

// --- what a large set will take, told before ---

enum { LARGE_SET = 50000, ESTIMATE_ORGANISMS = 1024 };

static void say_estimate(const Problem *problem, const RunConfig *config, double organisms,
                         const ForestEstimate *estimate, const ForestConfig *forest) {
    const size_t positions = moves_of(problem)->sets[SET_TRAINING].count;
    const double judged = config->sample > 0 ? (double)config->sample : (double)positions;
    const double share = judged < (double)positions ? judged / (double)positions : 1;
    const uint64_t bytes = (uint64_t)estimate->bytes, final = forest_final_bytes(bytes);
    CLEANUP(str_free) Str text = {0};
    str_addf(&text,
             "%zu positions: a generation of %.0f organisms takes about %.1f s here, the first "
             "about %.1f s; the trees take about %" PRIu64 " MB, after many generations about "
             "%" PRIu64 " MB",
             positions, organisms, share * estimate->later_seconds, share * estimate->first_seconds,
             bytes >> 20, final >> 20);
    if (final > forest->max_bytes)
        str_addf(&text, ", of which %zu MB stay in memory and the rest goes to a file in %s",
                 forest->max_bytes >> 20, forest->folder);
    config->tell(str_text(&text));
}

// By random organisms, and where there are very many, by some of them.
static Status tell_estimate(Problem *problem, const RunConfig *config) {
    const PlayedSet *training = &moves_of(problem)->sets[SET_TRAINING];
    const EvolveSpace *space = &problem->space.space;
    if (config->tell == NULL || training->count < LARGE_SET ||
        dist_pool_ranks(problem->pool) != NULL)
        return OK;
    const double all = config->algorithm.values[OPTION_POPULATION] * (double)config->runs;
    const size_t count = all < ESTIMATE_ORGANISMS ? (size_t)all : ESTIMATE_ORGANISMS;
    CLEANUP(mem_free_at)
    double *organisms = mem_alloc(2 * count * space->count * sizeof *organisms);
    Rng rng = rng_at(problem->seed, 0, 0, 0);
    for (size_t i = 0; i < 2 * count; i++)
        space_randomize(space, &rng, organisms + i * space->count);
    Planting planting;
    ForestEstimate estimate = {0};
    plan_planting(problem, SET_TRAINING, &planting);
    TRY(forest_estimate(training, &planting.config,
                        problem_expand(problem, organisms, NULL, 2 * count), count, problem->pool,
                        &estimate));
    estimate.first_seconds *= all / (double)count;
    estimate.later_seconds *= all / (double)count;
    say_estimate(problem, config, all, &estimate, &planting.config);
    return OK;
}

// --- the start of evolution: the user's, or the family's, made likelier to play these moves ---

static Status go_down_leaves(Problem *problem, const SurrogateConfig *steps, double *values) {
    Moves *moves = moves_of(problem);
    PlayedSet all = moves->sets[SET_TRAINING];
    all.count = moves->leaf_positions;
    const LeafDescent descent = {.leaves = {.family = problem->family,
                                            .rules = moves->rules,
                                            .max_bytes = moves->max_bytes,
                                            .step_positions = moves->step_positions},
                                 .steps = *steps,
                                 .rounds = moves->round_count,
                                 .training = &all,
                                 .validation = &moves->sets[SET_VALIDATION]};
    moves->rounds = mem_alloc_zero(descent.rounds + 1, sizeof *moves->rounds);
    return leaf_descent(&descent, problem->pool, values, moves->rounds, &moves->best_round);
}

static Status go_down_trees(Problem *problem, const SurrogateConfig *steps, double *values) {
    const SlopeSource source = forest_slope_source(moves_of(problem)->forests[SET_TRAINING]);
    return surrogate_descend(&source, steps, problem->pool, values);
}

static Status find_start(Problem *problem, const RunConfig *config) {
    FamilySpace *space = &problem->space;
    const size_t terms = problem->family->coefficient_count;
    double low[COEFFICIENTS_MAX], high[COEFFICIENTS_MAX], values[COEFFICIENTS_MAX];
    if (terms != space->space.count || problem->family->coefficient_names != NULL)
        return error_set(ERR_ARG, "surrogate: family %s is not linear in its parameters",
                         problem->family->name);
    for (size_t i = 0; i < terms; i++) {
        low[i] = space->parameters[i].low;
        high[i] = space->parameters[i].high;
        values[i] = space_nearest(&space->space, i, space->start[i]);
    }
    const SlopeKind kind = {(SlopeLoss)config->loss,
                            (double)(config->temperature * problem->family->unit)};
    const double spread = (double)(config->stay_near * problem->family->unit);
    const size_t positions = config->leaves > 0 ? moves_of(problem)->leaf_positions
                                                : moves_of(problem)->sets[SET_TRAINING].count;
    // As if each weight were drawn from a normal distribution about the start.
    const double pull = spread > 0 ? 1 / (spread * spread * (double)positions) : 0;
    const SurrogateConfig steps = {(unsigned)config->surrogate, kind, low, high, pull, NULL};
    TRY((config->leaves > 0 ? go_down_leaves : go_down_trees)(problem, &steps, values));
    for (size_t i = 0; i < terms; i++)
        space->start[i] = space_nearest(&space->space, i, values[i]);
    space->has_start = true;
    return OK;
}

// With leaves, trees may be those of the first positions alone.
static void part_trees(Moves *moves, const RunConfig *config) {
    PlayedSet *training = &moves->sets[SET_TRAINING];
    moves->leaf_positions = training->count;
    moves->step_positions = (size_t)config->step_positions;
    moves->round_count = (unsigned)config->leaves;
    if (config->trees > 0 && (size_t)config->trees < training->count)
        training->count = (size_t)config->trees;
}

// One person may be learned from; the test is of everybody's moves.
static Status load_set(Problem *problem, const RunConfig *config, ProblemSet set) {
    const char *path = str_text(&problem->files[set].paths[0]);
    PlayedSet *out = &moves_of(problem)->sets[set];
    return set == SET_TRAINING && config->player.length > 0
               ? played_set_load_player(out, path, str_text(&config->player))
               : played_set_load(out, path);
}

static void describe_share(const char *before, uint64_t hits, size_t positions, Str *out) {
    str_addf(out, "%s%.2f%%", before, 100 * (double)hits / (double)positions);
}

// Where evolution began, and what it is judged on.
static void describe_leaves(const Moves *moves, Str *out) {
    const size_t validation = moves->sets[SET_VALIDATION].count;
    str_addf(out, "; evolution is judged on %zu of them and starts from the leaves of %zu: ",
             moves->sets[SET_TRAINING].count, moves->leaf_positions);
    for (unsigned i = 0; i <= moves->round_count; i++) {
        const LeafRound *round = &moves->rounds[i];
        describe_share(i == 0 ? "" : ", ", round->training_hits, moves->leaf_positions, out);
        if (validation > 0)
            describe_share(" (validation ", round->validation_hits, validation, out);
        str_add(out, validation > 0 ? ")" : "");
    }
    str_addf(out, " of moves found before the first round and after each, number %u taken",
             moves->best_round);
}

static void describe(const Moves *moves, ProblemSet set, Str *out) {
    const PlayedTotals *totals = &moves->sets[set].totals;
    const size_t used = set == SET_TRAINING ? moves->leaf_positions : moves->sets[set].count;
    str_addf(out, "%zu of %" PRIu64 " position%s", used, totals->lines, str_plural(totals->lines));
    if (totals->others > 0)
        str_addf(out, ", %" PRIu64 " of other players left out", totals->others);
    if (totals->forced > 0)
        str_addf(out, ", %" PRIu64 " with one legal move left out", totals->forced);
    if (set == SET_TEST)
        str_addf(out, ", %" PRIu64 " that occur in the training set too left out", totals->shared);
    if (set == SET_TRAINING && moves->rounds != NULL)
        describe_leaves(moves, out);
}

static void fill_data(Problem *problem) {
    const Moves *moves = moves_of(problem);
    for (int set = 0; set < SET_NB; set++) {
        ProblemData *data = &problem->data[set];
        data->size = moves->sets[set].count;
        data->hash = moves->sets[set].hash ^ (moves->rules.depth * 4 + moves->rules.quiescence);
        describe(moves, (ProblemSet)set, &data->about);
    }
}

static Status load(Problem *problem, const RunConfig *config) {
    Moves *moves = problem->state = mem_alloc_zero(1, sizeof *moves);
    moves->rules = (ForestRules){(ForestQuiescence)config->quiescence, (unsigned)config->depth, 0};
    // Slopes depend on the order, and need one that depends on nothing else.
    moves->order = config->surrogate > 0 && config->leaves == 0 ? ORDER_SEARCHED : ORDER_STATIC;
    moves->max_bytes = (size_t)config->max_memory << 20;
    if (problem->space.has_tempo)
        return error_set(ERR_ARG,
                         "tempo is the same for all moves: it cannot be learned from them");
    for (int set = 0; set < SET_NB; set++)
        if (problem->files[set].count > 0)
            TRY(load_set(problem, config, (ProblemSet)set));
    TRY(cut_sets(problem, config));
    part_trees(moves, config);
    moves->wanted = mem_alloc(moves->sets[SET_TRAINING].count * sizeof *moves->wanted);
    plant_all(problem);
    if (config->surrogate > 0 && !config->is_helper)
        TRY(find_start(problem, config));
    fill_data(problem);
    return tell_estimate(problem, config);
}

static Status score(Problem *problem, const PositionBatch *batch, int64_t *scores) {
    Moves *moves = moves_of(problem);
    if (batch->rows != NULL) {
        memset(moves->wanted, 0, moves->sets[batch->set].count * sizeof *moves->wanted);
        for (size_t i = 0; i < batch->row_count; i++)
            moves->wanted[batch->rows[i]] = true;
    }
    return forest_hits_among(moves->forests[batch->set], batch->rows == NULL ? NULL : moves->wanted,
                             batch->coefficients, batch->organisms, TIES_BY_ORDER, problem->pool,
                             scores);
}

static uint64_t stored(const Problem *problem) {
    const Moves *moves = moves_of(problem);
    uint64_t bytes = 0;
    for (int set = 0; set < SET_NB; set++)
        bytes += moves->forests[set] == NULL ? 0 : forest_stored(moves->forests[set]);
    return bytes;
}

static const PositionFitness positions = {.score = score};

const FitnessKind fitness_moves = {
    .goal = {.title = "Evolution from moves",
             .meaning = "A match is the share of positions, in percent, in which the organism "
                        "chooses the move that was played.",
             .curve = "Match by generation",
             .name = "match",
             .unit = "percent of moves",
             .short_unit = "%",
             .per_position = 100,
             .watched = SET_VALIDATION},
    .load = load,
    .unload = unload,
    .stored = stored,
    .positions = &positions,
};
