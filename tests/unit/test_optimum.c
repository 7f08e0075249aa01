// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/optimum.h"

#include "optimum/lp_near.h"
#include "optimum/whole_search.h"
#include "problems.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static TestProblem test;

static OptimumResult solve(const OptimumProblem *problem) {
    OptimumResult result;
    if (optimum_solve(problem, 1, &result) != OK)
        fail_msg("%s", error_message());
    return result;
}

static double error_of(const OptimumProblem *problem, const double *weights) {
    double error;
    assert_int_equal(optimum_error(problem, weights, &error), OK);
    return error;
}

static double error_of_whole(const OptimumProblem *problem, const int32_t *weights) {
    double real[PROBLEM_TERMS_MAX + 1];
    for (size_t j = 0; j < optimum_weight_count(problem); j++)
        real[j] = weights[j];
    return error_of(problem, real);
}

// What must hold for any problem: weights in the box, errors that are theirs, bounds that are
// bounds, and the two ends meeting.
static void check_result(const OptimumProblem *problem, const OptimumResult *result) {
    assert_int_equal(result->count, optimum_weight_count(problem));
    for (size_t j = 0; j < problem->m; j++) {
        assert_true(result->weights[j] >= problem->low[j] &&
                    result->weights[j] <= problem->high[j]);
        assert_in_range(result->whole_weights[j] - problem->low[j], 0,
                        problem->high[j] - problem->low[j]);
    }
    assert_true(error_of(problem, result->weights) == result->error);
    assert_true(error_of_whole(problem, result->whole_weights) == (double)result->whole_error);
    double rounding = 1e-9 * (1 + result->error);
    assert_true(result->bound <= result->error + rounding);
    assert_true(result->error - result->bound <= 1e-7 * (1 + result->error));
    assert_true(result->whole_bound <= result->whole_error);
    assert_true((double)result->whole_bound >= result->bound);
    assert_true(result->bound <= (double)result->whole_error);
}

// One weight, |4 - w| + |6 - 2w| + |5 - w|: the weighted median of 4, 3 and 5 is where slopes
// change sign, anywhere from 3 (error 1 + 0 + 2) to 4 (0 + 2 + 1).
static void test_by_hand(void **state) {
    (void)state;
    int16_t counts[] = {1, 2, 1};
    int32_t labels[] = {4, 6, 5}, low[] = {-10}, high[] = {10};
    OptimumProblem problem = {
        .counts = counts, .n = 3, .m = 1, .labels = labels, .low = low, .high = high};
    OptimumResult result = solve(&problem);
    check_result(&problem, &result);
    assert_true(fabs(result.error - 3) < 1e-9);
    assert_int_equal(result.whole_error, 3);
    assert_int_equal(result.whole_bound, 3);
    optimum_result_free(&result);
    // Cut off by the box: |4 - 2| + |6 - 4| + |5 - 2|.
    high[0] = 2;
    result = solve(&problem);
    check_result(&problem, &result);
    assert_true(fabs(result.error - 7) < 1e-9 && result.weights[0] == 2);
    optimum_result_free(&result);
    // Half a step would be better than a whole one: |1 - 2w|.
    problem = (OptimumProblem){.counts = (int16_t[]){2},
                               .n = 1,
                               .m = 1,
                               .labels = (int32_t[]){1},
                               .low = low,
                               .high = high};
    result = solve(&problem);
    check_result(&problem, &result);
    assert_true(fabs(result.error) < 1e-9);
    assert_int_equal(result.whole_error, 1);
    optimum_result_free(&result);
}

static int64_t brute_force(const OptimumProblem *problem, int32_t *weights, size_t j) {
    if (j == problem->m)
        return (int64_t)error_of_whole(problem, weights);
    int64_t least = INT64_MAX;
    for (weights[j] = problem->low[j]; weights[j] <= problem->high[j]; weights[j]++) {
        int64_t error = brute_force(problem, weights, j + 1);
        least = error < least ? error : least;
    }
    return least;
}

static void test_against_all_whole_weights(void **state) {
    (void)state;
    int missed = 0;
    for (uint32_t i = 0; i < 300; i++) {
        Rng rng = rng_at(1, i, 0, 0);
        size_t n = 1 + rng_below(&rng, 8), m = 1 + rng_below(&rng, 3);
        const OptimumProblem *problem = test_problem(&test, &rng, n, m, 7, (int32_t)(i % 12));
        OptimumResult result = solve(problem);
        check_result(problem, &result);
        int32_t weights[PROBLEM_TERMS_MAX];
        int64_t best = brute_force(problem, weights, 0);
        assert_true(result.whole_bound <= best && best <= result.whole_error);
        missed += best != result.whole_error;
        optimum_result_free(&result);
    }
    // The search of whole numbers is not exact; on problems this small it nearly is.
    assert_in_range(missed, 0, 3);
}

// With two weights the optimum is where two of the lines "residual i is zero" or "weight at an end
// of its range" meet: try them all.
static double best_vertex(const OptimumProblem *problem) {
    double lines[PROBLEM_TERMS_MAX][3], least = INFINITY;
    size_t count = 0;
    for (size_t i = 0; i < problem->n; i++, count++)
        for (size_t j = 0; j < 3; j++)
            lines[count][j] = j < 2 ? problem->counts[i * 2 + j] : problem->labels[i];
    for (size_t j = 0; j < 2; j++) {
        memcpy(lines[count++], (double[3]){j == 0, j == 1, problem->low[j]}, sizeof lines[0]);
        memcpy(lines[count++], (double[3]){j == 0, j == 1, problem->high[j]}, sizeof lines[0]);
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++) {
            const double *p = lines[a], *q = lines[b];
            double determinant = p[0] * q[1] - p[1] * q[0];
            if (determinant == 0)
                continue;
            double w[2] = {(p[2] * q[1] - p[1] * q[2]) / determinant,
                           (p[0] * q[2] - p[2] * q[0]) / determinant};
            if (w[0] >= problem->low[0] && w[0] <= problem->high[0] && w[1] >= problem->low[1] &&
                w[1] <= problem->high[1])
                least = fmin(least, error_of(problem, w));
        }
    return least;
}

static void test_against_all_vertices(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 300; i++) {
        Rng rng = rng_at(2, i, 0, 0);
        const OptimumProblem *problem =
            test_problem(&test, &rng, 1 + rng_below(&rng, 20), 2, 100, (int32_t)(i % 50));
        OptimumResult result = solve(problem);
        check_result(problem, &result);
        assert_true(fabs(result.error - best_vertex(problem)) <= 1e-7 * (1 + result.error));
        optimum_result_free(&result);
    }
}

// Any numbers prove a bound, good or not: none is above the error of any weights in the box.
static void test_any_multipliers_give_a_bound(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 300; i++) {
        Rng rng = rng_at(3, i, 0, 0);
        size_t n = 1 + rng_below(&rng, 30), m = 1 + rng_below(&rng, 6);
        const OptimumProblem *problem = test_problem(&test, &rng, n, m, 50, 20);
        double weights[PROBLEM_TERMS_MAX], multipliers[PROBLEM_TERMS_MAX], bound;
        for (size_t j = 0; j < m; j++)
            weights[j] = problem->low[j] + rng_real(&rng) * (problem->high[j] - problem->low[j]);
        for (size_t k = 0; k < n; k++)
            multipliers[k] = k % 7 == 6 ? NAN : 3 * rng_real(&rng) - 1.5;
        assert_int_equal(optimum_bound(problem, multipliers, &bound), OK);
        assert_true(bound >= 0 && bound <= error_of(problem, weights) * (1 + 1e-12));
    }
}

// Without weights the bound is one product, which the double must not exceed.
static void test_bounds_are_rounded_down(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        Rng rng = rng_at(9, i, 0, 0);
        int32_t label = test_between(&rng, 1, INT32_MAX - 1);
        double multiplier = rng_real(&rng), bound;
        OptimumProblem problem = {.n = 1, .labels = &label};
        assert_int_equal(optimum_bound(&problem, &multiplier, &bound), OK);
        __int128 exact = (__int128)llrint(ldexp(multiplier, 44)) * label;
        assert_true((__int128)ldexp(bound, 44) <= exact);
        assert_true(bound >= multiplier * label * (1 - 1e-9));
    }
}

// No weight alone, and no two weights by one step each, can do better.
static void test_whole_weights_are_locally_best(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 50; i++) {
        Rng rng = rng_at(10, i, 0, 0);
        const OptimumProblem *problem = test_problem(&test, &rng, 60, 6, 50, 40);
        OptimumResult result = solve(problem);
        int32_t *w = result.whole_weights;
        for (size_t j = 0; j < 6; j++)
            for (size_t k = 0; k < 6; k++)
                for (int moves = 0; moves < 9; moves++) {
                    int32_t old_j = w[j], old_k = w[k];
                    w[j] += moves / 3 - 1;
                    w[k] += moves % 3 - 1;
                    bool is_inside = w[j] >= problem->low[j] && w[j] <= problem->high[j] &&
                                     w[k] >= problem->low[k] && w[k] <= problem->high[k];
                    if (j != k && is_inside)
                        assert_true(error_of_whole(problem, w) >= (double)result.whole_error);
                    w[j] = old_j;
                    w[k] = old_k;
                }
        optimum_result_free(&result);
    }
}

// The certificate in plain arithmetic, apart from the one in optimum.c: with y_i the signs of the
// residuals of the fixed weights, the bound is their error exactly.
static void test_fixed_weights_prove_themselves(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 50; i++) {
        Rng rng = rng_at(4, i, 0, 0);
        const OptimumProblem *problem = test_problem(&test, &rng, 1 + i, 4, 50, 100);
        memcpy(test.high, test.low, sizeof test.high);
        OptimumResult result = solve(problem);
        check_result(problem, &result);
        assert_true((double)result.whole_bound == result.error);
        assert_int_equal(result.whole_error, result.whole_bound);
        optimum_result_free(&result);
    }
}

static void test_odd_shapes(void **state) {
    (void)state;
    Rng rng = rng_at(5, 0, 0, 0);
    // Fewer positions than weights.
    const OptimumProblem *problem = test_problem(&test, &rng, 3, 20, 100, 0);
    OptimumResult result = solve(problem);
    check_result(problem, &result);
    assert_true(result.error < 1e-6);
    optimum_result_free(&result);
    // A column of zeros, whose range does not hold 0.
    problem = test_problem(&test, &rng, 50, 3, 100, 30);
    for (size_t i = 0; i < 50; i++)
        test.counts[i * 3 + 1] = 0;
    test.low[1] = 5;
    test.high[1] = 9;
    result = solve(problem);
    check_result(problem, &result);
    assert_true(result.weights[1] == 5);
    optimum_result_free(&result);
    // Nothing at all, and only a constant.
    result = solve(&(OptimumProblem){0});
    assert_true(result.error == 0 && result.bound == 0 && result.whole_error == 0);
    optimum_result_free(&result);
    OptimumProblem constant = {.n = 3,
                               .labels = (int32_t[]){1, 2, 1000000},
                               .has_constant = true,
                               .constant_low = INT32_MIN,
                               .constant_high = INT32_MAX};
    result = solve(&constant);
    check_result(&constant, &result);
    assert_int_equal(result.whole_weights[0], 2);
    assert_int_equal(result.whole_error, 999999);
    assert_int_equal(result.whole_bound, 999999);
    optimum_result_free(&result);
    constant.labels = (int32_t[]){-1, -2, -1000000};
    result = solve(&constant);
    assert_int_equal(result.whole_weights[0], -2);
    assert_int_equal(result.whole_bound, 999999);
    optimum_result_free(&result);
}

// A constant is as good as a term that every position counts once; rows may lie apart.
static void test_constants_and_strides(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 50; i++) {
        Rng rng = rng_at(6, i, 0, 0);
        OptimumProblem whole = *test_problem(&test, &rng, 40, 4, 60, 40), part = whole;
        for (size_t k = 0; k < 40; k++)
            test.counts[k * 4 + 3] = 1;
        part.m = 3;
        part.stride = 4;
        part.has_constant = true;
        part.constant_low = test.low[3];
        part.constant_high = test.high[3];
        OptimumResult a = solve(&whole), b = solve(&part);
        check_result(&part, &b);
        assert_true(fabs(a.error - b.error) <= 1e-7 * (1 + a.error));
        assert_int_equal(a.whole_bound, b.whole_bound);
        optimum_result_free(&a);
        optimum_result_free(&b);
    }
}

static void test_refusals(void **state) {
    (void)state;
    int16_t counts[] = {30000, 1};
    int32_t labels[] = {1, 1}, low[] = {5}, high[] = {4};
    OptimumProblem problem = {
        .counts = counts, .n = 2, .m = 1, .labels = labels, .low = low, .high = high};
    OptimumResult result;
    double bound;
    assert_int_equal(optimum_solve(&problem, 0, &result), ERR_ARG);
    assert_string_equal(error_message(), "weight 0 has an empty range: 5 to 4");
    assert_int_equal(optimum_bound(&problem, (double[]){0, 0}, &bound), ERR_ARG);
    assert_null(result.weights);
    // 40,000 terms of 30000 times 2^31 each.
    size_t terms = 40000;
    int16_t *wide = malloc(terms * sizeof *wide);
    int32_t *limits = malloc(terms * sizeof *limits);
    for (size_t j = 0; j < terms; j++) {
        wide[j] = 30000;
        limits[j] = INT32_MAX;
    }
    problem = (OptimumProblem){
        .counts = wide, .n = 1, .m = terms, .labels = labels, .low = limits, .high = limits};
    assert_int_equal(optimum_solve(&problem, 0, &result), ERR_LIMIT);
    free(wide);
    free(limits);
}

// About the size of the papers' problem.
static void test_large(void **state) {
    (void)state;
    Rng rng = rng_at(7, 0, 0, 0);
    const OptimumProblem *problem = test_problem(&test, &rng, 1500, 35, 1000, 300);
    OptimumResult result = solve(problem);
    check_result(problem, &result);
    // Whole numbers lose little.
    assert_true((double)result.whole_error <= result.error * 1.001);
    optimum_result_free(&result);
}

// Programs of the rows in doubt come to the value of the whole one, from which it is at most
// rounding.
static void test_rows_in_doubt_are_enough(void **state) {
    (void)state;
    static int16_t counts[PROBLEM_ROWS_MAX * PROBLEM_TERMS_MAX];
    static double targets[PROBLEM_ROWS_MAX], most[PROBLEM_ROWS_MAX], y[2][PROBLEM_ROWS_MAX];
    for (uint32_t i = 0; i < 60; i++) {
        Rng rng = rng_at(12, i, 0, 0);
        const size_t m = 1 + rng_below(&rng, 9), n = 16 * m + rng_below(&rng, 600);
        double widths[PROBLEM_TERMS_MAX], prices[2][PROBLEM_TERMS_MAX], value[2] = {0, 0};
        test_problem(&test, &rng, n, m, 200, (int32_t)(i % 6 * 40));
        for (size_t k = 0; k < n; k++) {
            targets[k] = test.labels[k];
            most[k] = i % 2 == 0 ? 1 : 1 + rng_below(&rng, 3);
            for (size_t j = 0; j < m; j++)
                counts[j * n + k] = test.counts[k * m + j];
        }
        for (size_t j = 0; j < m; j++)
            widths[j] = test.high[j] - test.low[j] + 1;
        const LpDual lp = {.rows = n,
                           .columns = m,
                           .counts = counts,
                           .targets = targets,
                           .most = most,
                           .widths = widths};
        assert_int_equal(lp_solve(&lp, y[0], prices[0]), OK);
        assert_int_equal(lp_solve_near(&lp, y[1], prices[1]), OK);
        for (int way = 0; way < 2; way++) {
            for (size_t k = 0; k < n; k++) {
                double residual = targets[k];
                for (size_t j = 0; j < m; j++)
                    residual -= prices[way][j] * counts[j * n + k];
                value[way] += most[k] * fabs(residual);
                assert_true(fabs(y[way][k]) <= most[k] * (1 + 1e-9));
            }
        }
        assert_true(fabs(value[0] - value[1]) <= 1e-7 * (1 + value[0]));
    }
}

static void test_whole_search_in_32_bits(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        Rng rng = rng_at(13, i, 0, 0);
        const size_t m = 1 + rng_below(&rng, 8), n = 1 + rng_below(&rng, i < 2 ? 5000 : 200);
        const OptimumProblem *problem = test_problem(&test, &rng, n, m, i % 3 == 0 ? 60 : 3000, 90);
        int32_t fast[PROBLEM_TERMS_MAX], plain[PROBLEM_TERMS_MAX];
        double real[PROBLEM_TERMS_MAX];
        Columns columns;
        assert_int_equal(columns_create(&columns, problem), OK);
        for (size_t j = 0; j < m; j++)
            real[j] = test.low[j] + rng_real(&rng) * (test.high[j] - test.low[j]);
        assert_int_equal(whole_search(&columns, real, i, fast),
                         whole_search_plain(&columns, real, i, plain));
        assert_memory_equal(fast, plain, m * sizeof *fast);
        columns_free(&columns);
    }
}

static void *solve_in_thread(void *problem) {
    OptimumResult *result = malloc(sizeof *result);
    *result = solve(problem);
    return result;
}

// The solver keeps its state by thread; two at once must not disturb each other.
static void test_threads(void **state) {
    (void)state;
    static TestProblem problems[2];
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; i++) {
        Rng rng = rng_at(8, i, 0, 0);
        test_problem(&problems[i], &rng, 200, 10, 100, 50);
        assert_int_equal(pthread_create(&threads[i], NULL, solve_in_thread, &problems[i].problem),
                         0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        OptimumResult alone = solve(&problems[i].problem), *other = result;
        assert_true(alone.error == other->error && alone.bound == other->bound);
        assert_int_equal(alone.whole_error, other->whole_error);
        optimum_result_free(&alone);
        optimum_result_free(other);
        free(other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_against_all_whole_weights),
        cmocka_unit_test(test_against_all_vertices),
        cmocka_unit_test(test_any_multipliers_give_a_bound),
        cmocka_unit_test(test_bounds_are_rounded_down),
        cmocka_unit_test(test_whole_weights_are_locally_best),
        cmocka_unit_test(test_fixed_weights_prove_themselves),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_constants_and_strides),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_rows_in_doubt_are_enough),
        cmocka_unit_test(test_whole_search_in_32_bits),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
