// SPDX-License-Identifier: GPL-3.0-or-later
// A fitness function in one piece: all that a new one needs (CONTRIBUTING.md has the recipe), and a
// run of evolution by it.
#include "pooled.h"

#include "fitness/fitness.h"

#include "mentoring.h"

#include <math.h>

// --- the fitness: the nearer the first parameter is to 90, the better ---

enum { POSITIONS = 10, WANTED = 90 };

static Status load(Problem *problem, const RunConfig *config) {
    (void)config;
    problem->data[SET_TRAINING] = (ProblemData){.size = POSITIONS, .hash = WANTED};
    str_add(&problem->data[SET_TRAINING].about, "ten positions that are all alike");
    return OK;
}

static Status score(Problem *problem, const PositionBatch *batch, int64_t *scores) {
    const size_t positions = batch->rows == NULL ? POSITIONS : batch->row_count;
    for (size_t i = 0; i < batch->organisms; i++)
        scores[i] =
            -(int64_t)positions * abs(batch->coefficients[i * problem_terms(problem)] - WANTED);
    return OK;
}

static const PositionFitness positions = {.score = score};

static const FitnessKind fitness_near = {
    .goal = {.title = "Evolution towards a number",
             .meaning = "A distance is that of the first parameter from 90.",
             .curve = "Distance by generation",
             .name = "distance",
             .unit = "points",
             .short_unit = "p",
             .per_position = -1,
             .watched = SET_TEST},
    .load = load,
    .positions = &positions,
};

// --- its use ---

static void configure(RunConfig *config, const char *words) {
    char set[TESTING_PATH];
    testing_write(set, "near.epd", "\n", 1);
    run_config_init(config);
    mentoring_set(config, "population 30 generations 15 seed 5");
    assert_int_equal(run_config_set(config, "data", set), OK);
    mentoring_set(config, words);
}

static void test_judges_samples_and_sets(void **state) {
    (void)state;
    RunConfig config;
    Problem *problem;
    configure(&config, "sample 4");
    assert_int_equal(fitness_create(&problem, &fitness_near, &config, pool), OK);
    assert_int_equal(problem_sample_size(problem), 4);
    const EvolveSpace *space = problem_space(problem);
    double organism[TERMS_MAX + 1];
    for (size_t i = 0; i < space->count; i++)
        organism[i] = space->parameters[i].low;
    organism[0] = WANTED + 3;
    const EvolveBatch batch = {organism, 1, space->count, 0};
    int64_t found;
    assert_int_equal(problem_evaluate(problem, 0, &batch, &found), OK);
    assert_int_equal(found, -3 * 4);
    assert_int_equal(problem_judge(problem, SET_TRAINING, organism, 1, &found), OK);
    assert_int_equal(found, -3 * POSITIONS);
    assert_true(problem_figure(problem, (double)found, POSITIONS) == 3);
    Str text = {0};
    problem_describe(problem, SET_TRAINING, &text);
    assert_string_equal(str_text(&text),
                        "near.epd (000000000000005a): ten positions that are all alike");
    str_free(&text);
    problem_destroy(problem);
    run_config_free(&config);
}

static void test_a_run_learns_by_it(void **state) {
    (void)state;
    RunConfig config;
    Problem *problem;
    RunOutcome outcome;
    char directory[TESTING_PATH];
    configure(&config, "sample 0");
    testing_path(directory, "run");
    assert_int_equal(fitness_create(&problem, &fitness_near, &config, pool), OK);
    assert_int_equal(run_begin(directory, &config), OK);
    assert_int_equal(run_all(problem, &config, &(RunFiles){.directory = directory}, &outcome), OK);
    assert_true(outcome.is_finished);
    assert_true(outcome.training_error == fabs(outcome.best[0] - WANTED));
    assert_true(outcome.training_error < 5);
    run_outcome_free(&outcome);
    problem_destroy(problem);
    run_config_free(&config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judges_samples_and_sets),
        cmocka_unit_test(test_a_run_learns_by_it),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
