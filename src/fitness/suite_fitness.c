// SPDX-License-Identifier: GPL-3.0-or-later
// Learning to search from a suite: organisms are settings of the search, and the nodes until each
// position is solved are to be made few (David-Tabibi, Koppel, Netanyahu, ICGA Journal 33(2),
// 2010). Each position is a new game on one thread: nodes depend on the organism and the position
// alone.
#include "base/hash.h"
#include "base/mem.h"
#include "fitness/fitness.h"
#include "match/play/player_organism.h"
#include "search/search_family.h"
#include "suite/suite_run.h"

#include <inttypes.h>
#include <stdlib.h>

// Only a machine that stands still lets a position take this long.
static const int64_t cap_ms = 24 * 60 * 60 * 1000LL;

// Positions of a suite.
typedef struct Positions {
    const SuiteItem **items; // owned, each borrowed
    size_t count, capacity;
} Positions;

typedef struct Solving {
    Weights evaluation;
    Suite suites[SET_NB]; // as files hold them
    Positions sets[SET_NB];
    size_t hash_mb;
    uint64_t cap;
    Player *players; // of each thread; ops is NULL before its first position
} Solving;

static Solving *solving_of(const Problem *problem) {
    return problem->state;
}

static void unload(Problem *problem) {
    Solving *solving = solving_of(problem);
    for (int i = 0; i < SET_NB; i++) {
        suite_free(&solving->suites[i]);
        free(solving->sets[i].items);
    }
    for (int i = 0; i < dist_pool_threads(problem->pool); i++)
        if (solving->players[i].ops != NULL)
            solving->players[i].ops->close(solving->players[i].self);
    free(solving->players);
    weights_free(&solving->evaluation);
    free(solving);
}

// --- reading ---

static Status read_suite(Problem *problem, ProblemSet set) {
    Suite *suite = &solving_of(problem)->suites[set];
    if (problem->files[set].count == 0)
        return OK;
    TRY(suite_load(suite, str_text(&problem->files[set].paths[0])));
    // A line that is left out would be missing from every figure, and nobody would see it.
    return suite->bad_count == 0 ? OK : error_set(ERR_PARSE, "%s", suite->bad[0]);
}

static void add_item(Solving *solving, ProblemSet set, const SuiteItem *item) {
    Positions *positions = &solving->sets[set];
    MEM_ADD(positions->items, positions->count, positions->capacity) = item;
}

static void share_out(Solving *solving, const RunConfig *config) {
    const Suite *training = &solving->suites[SET_TRAINING], *test = &solving->suites[SET_TEST];
    const size_t every = (size_t)config->hold_out;
    const size_t most =
        config->suite_positions > 0 ? (size_t)config->suite_positions : training->count;
    for (size_t i = 0; i < training->count; i++)
        if (every > 0 && (i + 1) % every == 0)
            add_item(solving, SET_TEST, &training->items[i]);
        else if (solving->sets[SET_TRAINING].count < most)
            add_item(solving, SET_TRAINING, &training->items[i]);
    for (size_t i = 0; i < test->count; i++)
        add_item(solving, SET_TEST, &test->items[i]);
}

// All that nodes depend on, but for the organism.
static uint64_t hash_of(const Solving *solving, const Positions *positions) {
    const uint64_t settings[] = {solving->cap, solving->hash_mb,
                                 weights_digest(&solving->evaluation)};
    CLEANUP(str_free) Str bytes = {0};
    for (size_t i = 0; i < positions->count; i++)
        suite_item_pack(positions->items[i], &bytes);
    const uint64_t hash = hash_bytes(HASH_START, settings, sizeof settings);
    return hash_bytes(hash, str_text(&bytes), bytes.length);
}

static void describe(Problem *problem) {
    const Solving *solving = solving_of(problem);
    for (int i = 0; i < SET_NB; i++) {
        const size_t count = solving->sets[i].count;
        problem->data[i].size = count;
        problem->data[i].hash = hash_of(solving, &solving->sets[i]);
        str_addf(&problem->data[i].about, "%zu position%s of %" PRIu64 " nodes, evaluation %s",
                 count, str_plural(count), solving->cap, solving->evaluation.family->name);
    }
    // Test positions that are the training file's: the report names where they are from.
    if (problem->files[SET_TEST].count == 0 && solving->sets[SET_TEST].count > 0)
        str_add(&problem->files[SET_TEST].paths[problem->files[SET_TEST].count++],
                str_text(&problem->files[SET_TRAINING].paths[0]));
}

static Status check(const Problem *problem, const RunConfig *config) {
    if (problem->family != &family_search)
        return error_set(ERR_ARG, "a suite is solved by searches: family must be %s, not %s",
                         FAMILY_SEARCH, problem->family->name);
    if (problem->space.has_tempo)
        return error_set(ERR_ARG, "tempo is no part of the search");
    if (config->hold_out > 0 && config->test.length > 0)
        return error_set(ERR_ARG, "test positions are those of --test or of --hold-out, not both");
    if (config->hold_out == 1)
        return error_set(ERR_ARG, "hold-out 1 leaves no position to learn from: 2 leaves half");
    return OK;
}

static Status load(Problem *problem, const RunConfig *config) {
    Solving *solving = problem->state = mem_alloc_zero(1, sizeof *solving);
    const size_t threads = (size_t)dist_pool_threads(problem->pool);
    solving->players = mem_alloc_zero(threads, sizeof *solving->players);
    solving->cap = (uint64_t)config->cap;
    solving->hash_mb = (size_t)config->hash;
    TRY(check(problem, config));
    TRY(problem_load_evaluation(config, &solving->evaluation));
    TRY(read_suite(problem, SET_TRAINING));
    TRY(read_suite(problem, SET_TEST));
    share_out(solving, config);
    if (solving->sets[SET_TRAINING].count == 0)
        return error_set(ERR_ARG, "%s: hold-out leaves no position to learn from",
                         str_text(&problem->files[SET_TRAINING].paths[0]));
    describe(problem);
    return OK;
}

// --- solving ---

// A batch, position by position: all organisms of one, then those of the next.
typedef struct Work {
    const Problem *problem;
    const PositionBatch *batch;
    uint64_t *nodes;
} Work;

static Player *player_of(Solving *solving, int thread, const Features *features) {
    Player *player = &solving->players[thread];
    const OrganismConfig config = {&solving->evaluation, *features, solving->hash_mb, -1};
    if (player->ops == NULL)
        *player = player_organism_create(&config, "the search");
    else
        player_organism_set_features(player, features);
    return player;
}

// Nodes until the solution was found and kept to the end; all of them where it was not.
static Status solve(Solving *solving, int thread, const Features *features, const SuiteItem *item,
                    uint64_t *nodes) {
    const Player *player = player_of(solving, thread, features);
    const Limits limits = {.nodes = solving->cap, .cap_ms = cap_ms};
    SuiteAnswer answer;
    // An organism breaks off for want of memory alone.
    if (player->ops->new_game(player->self, &item->pos) != FAULT_NONE ||
        suite_ask(player, &limits, item, &answer) != FAULT_NONE)
        return ERR_ENGINE;
    const bool is_solved = answer.is_solved && answer.solution_nodes < solving->cap;
    *nodes = is_solved ? answer.solution_nodes : solving->cap;
    return OK;
}

static Status do_job(void *context, size_t index, int thread) {
    const Work *work = context;
    const PositionBatch *batch = work->batch;
    Solving *solving = solving_of(work->problem);
    const size_t organism = index % batch->organisms, place = index / batch->organisms;
    const size_t row = batch->rows == NULL ? place : batch->rows[place];
    const Features features =
        search_family_features(batch->coefficients + organism * problem_terms(work->problem));
    return solve(solving, thread, &features, solving->sets[batch->set].items[row],
                 &work->nodes[index]);
}

static Status score(Problem *problem, const PositionBatch *batch, int64_t *scores) {
    const size_t rows =
        batch->rows == NULL ? solving_of(problem)->sets[batch->set].count : batch->row_count;
    const size_t jobs = rows * batch->organisms;
    CLEANUP(mem_free_at) uint64_t *nodes = mem_alloc_zero(jobs + 1, sizeof *nodes);
    Work work = {problem, batch, nodes};
    TRY(dist_pool_run(problem->pool, jobs, do_job, &work));
    for (size_t i = 0; i < batch->organisms; i++)
        scores[i] = 0;
    for (size_t i = 0; i < jobs; i++)
        scores[i % batch->organisms] -= (int64_t)nodes[i];
    return OK;
}

static const PositionFitness positions = {.score = score};

const FitnessKind fitness_suite = {
    .goal = {.title = "Evolution of the search from a suite",
             .meaning = "Nodes are those until a position was solved, its solution found and kept "
                        "up to the cap, in the mean over positions; one that was not solved counts "
                        "the cap.",
             .curve = "Nodes by generation",
             .name = "effort",
             .unit = "nodes to the solution",
             .short_unit = "nodes",
             .per_position = -1,
             .watched = SET_TEST},
    .load = load,
    .unload = unload,
    .positions = &positions,
};
