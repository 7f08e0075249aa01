// SPDX-License-Identifier: GPL-3.0-or-later
// What surrounds evolution by games: how much each weight matters, populations from one organism,
// and the play-off at the end.
#include "running.h"

#include "fitness/games/sensitivity.h"
#include "run/files/run_log.h"
#include "run/playoff.h"

#include <math.h>

#define WORDS                                                                                      \
    "fitness games chromosome maestro-224 algorithm ga population 4 generations 3 selection rank " \
    "survival elitism match-games 4 play-nodes 60 max-moves 100 verdict-games 0 seed 3"

// The same for any threads; a term that is in every position matters, one that is in none does not.
static void test_sensitivities(void **state) {
    (void)state;
    enum { OPENINGS = 4 };
    const GamesConfig config = {.profile = PROFILE_PAPERS, .nodes = 50, .max_moves = 60};
    Weights organism;
    Position openings[OPENINGS];
    double once[TERMS_MAX], again[TERMS_MAX];
    weights_init(&organism, &family_maestro);
    for (size_t i = 0; i < OPENINGS; i++)
        position_set_start(&openings[i]);
    for (int threads = 1; threads <= 3; threads += 2) {
        DistPool *pool = dist_pool_new(threads);
        assert_int_equal(sensitivity_measure(&config, &organism, openings, OPENINGS, pool,
                                             threads == 1 ? once : again),
                         OK);
        dist_pool_free(pool);
    }
    assert_memory_equal(once, again, family_maestro.term_count * sizeof *once);
    for (size_t i = 0; i < family_maestro.term_count; i++)
        assert_true(isfinite(once[i]) && once[i] >= 0);
    assert_true(once[family_find_term(&family_maestro, "BISHOP_MOBILITY")] > 0);
    // A unit of PAWN_VALUE moves a score by as many units as one side has more pawns.
    assert_true(once[family_find_term(&family_maestro, "PAWN_VALUE")] < 8);
}

// The candidates are in the log; the one that knows what pieces are worth wins, and equal ones play
// once.
static void test_a_playoff_finds_the_best(void **state) {
    (void)state;
    enum { LINES = 20, GOOD = 13 };
    DistPool *pool = dist_pool_new(2);
    RunConfig config;
    Problem *problem = create_problem(WORDS " playoff-games 12", &config, pool);
    const size_t width = problem_space(problem)->count;
    double genes[TERMS_MAX], best[TERMS_MAX] = {0};
    RunLog log;
    assert_int_equal(run_log_open(&log, testing_directory, 0), OK);
    for (uint32_t i = 0; i < LINES; i++) {
        for (size_t j = 0; j < width; j++)
            genes[j] = i == GOOD ? family_maestro.terms[j].start : (double)(i % 3) + (j == 0);
        const RunLogLine line = {.generation = i, .genes = genes, .gene_count = width};
        assert_int_equal(run_log_add(&log, &line), OK);
    }
    assert_int_equal(run_log_close(&log), OK);
    const PlayoffSetup setup = {40, 0, testing_directory, NULL, NULL};
    PlayoffResult result;
    assert_int_equal(playoff_choose(problem, &setup, best, &result), OK);
    assert_true(result.is_done && result.generation == GOOD);
    assert_int_equal(result.candidates, 4);
    assert_true(result.games >= 20);
    uint64_t games;
    assert_int_equal(playoff_games(testing_directory, &games), OK);
    assert_int_equal(games, result.games);
    for (size_t j = 0; j < width; j++)
        assert_true(best[j] == family_maestro.terms[j].start);
    problem_destroy(problem);
    run_config_free(&config);
    dist_pool_free(pool);
}

// Missing organisms are variations of the one that is given.
static void test_a_start_is_spread(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(2);
    RunConfig config;
    Problem *problem = create_problem(
        WORDS " start-from weights/maestro-hand.weights start-spread 8", &config, pool);
    const EvolveSpace *space = problem_space(problem);
    size_t count, far = 0;
    const double *starts = problem_start(problem, &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < space->count; j++) {
            const double value = starts[i * space->count + j];
            const EvolveParameter *box = &space->parameters[j];
            assert_true(value >= box->low && value <= box->high && value == floor(value));
            assert_true(i > 0 || value == family_maestro.terms[j].start);
            far += fabs(value - starts[j]) > (box->high - box->low) / 2;
        }
    assert_memory_not_equal(starts + space->count, starts, space->count * sizeof *starts);
    assert_true(far <= 1);
    problem_destroy(problem);
    run_config_free(&config);
    dist_pool_free(pool);
}

// What no quiet position has matters too, and what is rare goes no further than five units allow.
static void test_rare_terms_are_seen_and_limited(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(2);
    RunConfig config;
    Problem *problem = create_problem("fitness games family falcon chromosome gray algorithm ga "
                                      "population 4 selection rank survival elitism play-nodes 60 "
                                      "max-moves 100 verdict-games 0 start-from "
                                      "weights/falcon.weights start-spread 8",
                                      &config, pool);
    const EvolveSpace *space = problem_space(problem);
    size_t count;
    const double *starts = problem_start(problem, &count);
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < space->count; j++)
            // Five deviations.
            assert_true(fabs(starts[i * space->count + j] - starts[j]) <= 5 * 8 * 5);
    enum { OPENINGS = 8 };
    const GamesConfig games = {.profile = PROFILE_MODERN, .nodes = 50, .max_moves = 60};
    Weights organism;
    Position openings[OPENINGS];
    double seen[TERMS_MAX];
    weights_init(&organism, &family_falcon);
    for (size_t i = 0; i < OPENINGS; i++)
        position_set_start(&openings[i]);
    assert_int_equal(sensitivity_measure(&games, &organism, openings, OPENINGS, pool, seen), OK);
    assert_true(seen[family_find_term(&family_falcon, "HANGING_MG")] > 0.05);
    problem_destroy(problem);
    run_config_free(&config);
    dist_pool_free(pool);
}

static int set_up(void **state) {
    setenv("FALCONER_DATA", ".", 1);
    return running_set_up(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sensitivities),
        cmocka_unit_test(test_a_playoff_finds_the_best),
        cmocka_unit_test(test_a_start_is_spread),
        cmocka_unit_test(test_rare_terms_are_seen_and_limited),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
