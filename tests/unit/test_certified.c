// SPDX-License-Identifier: GPL-3.0-or-later
// The least error any weights can reach: nothing is below it, and evolution stays above.
#include "pooled.h"

#include "optimum/certified.h"

#include "mentoring.h"

#include <math.h>

static double error_of(Problem *problem, const double *parameters) {
    int64_t score;
    assert_int_equal(problem_judge(problem, SET_TRAINING, parameters, 1, &score), OK);
    return problem_figure(problem, (double)score, problem_size(problem, SET_TRAINING));
}

static void draw(const EvolveSpace *space, Rng *rng, double *out) {
    for (size_t i = 0; i < space->count; i++) {
        const EvolveParameter *parameter = &space->parameters[i];
        out[i] = parameter->low + rng_below(rng, (uint32_t)(parameter->high - parameter->low) + 1);
    }
}

static void solve(Problem *problem, CertifiedOptimum *optimum) {
    if (mentoring_optimum(problem, optimum) != OK)
        fail_msg("%s", error_message());
}

static void test_no_weights_are_below_the_bound(void **state) {
    (void)state;
    static const char *const cases[] = {
        "", "tempo yes", "chromosome maestro-224",
        "freeze PAWN_VALUE=100,QUEEN_VALUE=900 bounds BISHOP_PAIR:5:20", "only PAWN_VALUE"};
    char path[TESTING_PATH];
    Rng rng = rng_at(1, 0, 0, 0);
    mentoring_write(path, "limit.epd", 300, 100, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RunConfig config;
        CertifiedOptimum optimum;
        double parameters[TERMS_MAX + 1];
        Problem *problem = mentoring_problem(&config, path, cases[i], pool);
        const EvolveSpace *space = problem_space(problem);
        solve(problem, &optimum);
        assert_true(certified_bound(&optimum) <= certified_error(&optimum) + 1e-6);
        assert_true(certified_error(&optimum) <= certified_whole_error(&optimum) + 1e-6);
        assert_true(certified_distance(&optimum, certified_whole_error(&optimum)) >= 0);
        for (int repeat = 0; repeat < 200; repeat++) {
            draw(space, &rng, parameters);
            assert_true(certified_distance(&optimum, error_of(problem, parameters)) >= 0);
        }
        for (size_t j = 0; j < space->count; j++) {
            parameters[j] = optimum.result.whole_weights[j];
            assert_true(parameters[j] >= space->parameters[j].low &&
                        parameters[j] <= space->parameters[j].high);
        }
        assert_true(fabs(error_of(problem, parameters) - certified_whole_error(&optimum)) < 1e-9);
        certified_free(&optimum);
        problem_destroy(problem);
        run_config_free(&config);
    }
}

static void test_evolution_stays_above(void **state) {
    (void)state;
    char path[TESTING_PATH], directory[TESTING_PATH];
    static const char *const algorithms[] = {"ga", "memetic", "de"};
    mentoring_write(path, "evolve.epd", 200, 60, 6);
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        char words[128];
        RunConfig config;
        RunOutcome outcome;
        CertifiedOptimum optimum;
        snprintf(words, sizeof words, "algorithm %s population 50 generations 100", algorithms[i]);
        Problem *problem = mentoring_problem(&config, path, words, pool);
        testing_path(directory, algorithms[i]);
        const RunFiles files = {.directory = directory};
        assert_int_equal(run_begin(directory, &config), OK);
        assert_int_equal(run_all(problem, &config, &files, &outcome), OK);
        solve(problem, &optimum);
        assert_true(outcome.is_finished);
        assert_true(outcome.training_error >= certified_bound(&optimum));
        assert_true(isnan(outcome.test_error));
        // All positions are judged in every generation: the two are one.
        assert_true(outcome.sample_error == outcome.training_error);
        run_outcome_free(&outcome);
        certified_free(&optimum);
        problem_destroy(problem);
        run_config_free(&config);
    }
}

static void test_a_mentor_of_the_family_is_matched_exactly(void **state) {
    (void)state;
    char path[TESTING_PATH];
    RunConfig config;
    CertifiedOptimum optimum;
    mentoring_write(path, "exact.epd", 300, 0, 7);
    Problem *problem = mentoring_problem(&config, path, "", pool);
    solve(problem, &optimum);
    assert_true(certified_bound(&optimum) <= 1e-6 && certified_bound(&optimum) >= 0);
    assert_true(certified_whole_error(&optimum) == 0);
    optimum.result.bound = 0;
    assert_true(certified_distance(&optimum, 0) == 0);
    assert_true(isinf(certified_distance(&optimum, 1)));
    certified_free(&optimum);
    problem_destroy(problem);
    run_config_free(&config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_weights_are_below_the_bound),
        cmocka_unit_test(test_evolution_stays_above),
        cmocka_unit_test(test_a_mentor_of_the_family_is_matched_exactly),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
