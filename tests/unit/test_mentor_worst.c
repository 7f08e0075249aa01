// SPDX-License-Identifier: GPL-3.0-or-later
// The positions on which an organism is farthest off: the same errors as the fitness adds up, the
// worst first, and the boards they belong to.
#include "pooled.h"

#include "fitness/mentor_fitness.h"

#include "mentoring.h"

#include <math.h>

enum { POSITIONS = 120 };

static void draw(const Problem *problem, double *out) {
    const EvolveSpace *space = problem_space(problem);
    Rng rng = rng_at(3, 0, 0, 0);
    for (size_t i = 0; i < space->count; i++)
        out[i] = space->parameters[i].low + rng_below(&rng, 30);
}

static void check(const char *path, const char *words) {
    RunConfig config;
    Problem *problem = mentoring_problem(&config, path, words, pool);
    MentorMiss misses[POSITIONS + 1], few[4];
    double organism[TERMS_MAX + 1], sum = 0;
    size_t count = POSITIONS + 1, few_count = 4;
    int64_t score;
    draw(problem, organism);
    assert_int_equal(mentor_data_worst(problem, organism, misses, &count), OK);
    assert_int_equal(count, POSITIONS);
    for (size_t i = 0; i < count; i++) {
        const double error = fabs(misses[i].wanted - misses[i].found);
        sum += error;
        assert_true(position_is_ok(&misses[i].position));
        if (i > 0)
            assert_true(error <= fabs(misses[i - 1].wanted - misses[i - 1].found));
    }
    assert_int_equal(problem_judge(problem, SET_TRAINING, organism, 1, &score), OK);
    assert_true(sum == -(double)score);
    // Fewer are the first of these.
    assert_int_equal(mentor_data_worst(problem, organism, few, &few_count), OK);
    assert_int_equal(few_count, 4);
    for (size_t i = 0; i < few_count; i++)
        assert_true(few[i].position.key == misses[i].position.key &&
                    few[i].found == misses[i].found);
    problem_destroy(problem);
    run_config_free(&config);
}

static void test_errors_add_up_to_the_fitness(void **state) {
    (void)state;
    char path[TESTING_PATH];
    mentoring_write(path, "worst.epd", POSITIONS, 100, 5);
    check(path, "");
    check(path, "resolve yes");
}

// The scores are those of the weights on the boards that are told.
static void test_scores_are_of_their_boards(void **state) {
    (void)state;
    char path[TESTING_PATH];
    RunConfig config;
    Weights weights;
    MentorMiss misses[6];
    double organism[TERMS_MAX + 1];
    size_t count = 6;
    mentoring_write(path, "boards.epd", POSITIONS, 100, 6);
    Problem *problem = mentoring_problem(&config, path, "", pool);
    draw(problem, organism);
    problem_weights(problem, organism, &weights);
    Evaluator *evaluator = evaluator_create(&weights, false);
    assert_int_equal(mentor_data_worst(problem, organism, misses, &count), OK);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++)
        assert_true(misses[i].found == evaluator_score(evaluator, &misses[i].position));
    evaluator_destroy(evaluator);
    weights_free(&weights);
    problem_destroy(problem);
    run_config_free(&config);
}

// A board that is there twice is shown once.
static void test_no_board_twice(void **state) {
    (void)state;
    static const char text[] = "4k3/8/8/8/8/8/4P3/4K3 w - - ce 900;\n"
                               "4k3/8/8/8/8/8/4P3/4K3 w - - ce 900;\n"
                               "4k3/4p3/8/8/8/8/8/4K3 b - - ce 500;\n";
    char path[TESTING_PATH];
    RunConfig config;
    MentorMiss misses[6];
    double organism[TERMS_MAX + 1];
    size_t count = 6;
    testing_write(path, "twice.epd", text, sizeof text - 1);
    Problem *problem = mentoring_problem(&config, path, "", pool);
    draw(problem, organism);
    assert_int_equal(mentor_data_worst(problem, organism, misses, &count), OK);
    assert_int_equal(count, 2);
    assert_true(misses[0].wanted == 900 && misses[1].wanted == 500);
    problem_destroy(problem);
    run_config_free(&config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_add_up_to_the_fitness),
        cmocka_unit_test(test_scores_are_of_their_boards),
        cmocka_unit_test(test_no_board_twice),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
