// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/identify.h"

#include "optimum/eigen.h"
#include "problems.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { N = 64 };

static const double nothing[PROBLEM_TERMS_MAX] = {0};

static void assert_close(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error))
        fail_msg("%.12g, expected %.12g", value, expected);
}

// Column j of a Hadamard matrix: +1 and -1, all columns orthogonal.
static int16_t sign_of(size_t i, size_t j) {
    return __builtin_parityll(i & j) ? -1 : 1;
}

// Labels -63, -61 ... 63 have a sparsity of 2 n at their median.
static void fill_labels(int32_t *labels) {
    for (int32_t i = 0; i < N; i++)
        labels[i] = 2 * i - N + 1;
}

static void test_eigenvalues(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 20; round++) {
        enum { SIZE = 12 };
        Rng rng = rng_at(1, round, 0, 0);
        double matrix[SIZE * SIZE], copy[SIZE * SIZE], values[SIZE], vectors[SIZE * SIZE];
        for (size_t i = 0; i < SIZE; i++)
            for (size_t j = 0; j <= i; j++)
                matrix[i * SIZE + j] = matrix[j * SIZE + i] = 2 * rng_real(&rng) - 1;
        memcpy(copy, matrix, sizeof copy);
        eigen_symmetric(SIZE, matrix, values, vectors);
        // A v = value v for each, and the vectors are orthonormal.
        for (size_t k = 0; k < SIZE; k++)
            for (size_t i = 0; i < SIZE; i++) {
                double product = 0, inner = 0;
                for (size_t j = 0; j < SIZE; j++) {
                    product += copy[i * SIZE + j] * vectors[j * SIZE + k];
                    inner += vectors[j * SIZE + i] * vectors[j * SIZE + k];
                }
                assert_close(product, values[k] * vectors[i * SIZE + k], 1e-12);
                assert_close(inner, i == k, 1e-12);
            }
    }
}

static void test_orthogonal_columns(void **state) {
    (void)state;
    int16_t counts[N * 4];
    int32_t labels[N], low[4] = {-9, -9, -9, -9}, high[4] = {9, 9, 9, 9};
    for (size_t i = 0; i < N * 4; i++)
        counts[i] = (int16_t)(sign_of(i / 4, i % 4) * (i % 4 == 2 ? 3 : 1));
    fill_labels(labels);
    OptimumProblem problem = {
        .counts = counts, .n = N, .m = 4, .labels = labels, .low = low, .high = high};
    WeightEvidence evidence[4];
    assert_int_equal(identify(&problem, nothing, evidence), OK);
    for (size_t j = 0; j < 4; j++) {
        double size = j == 2 ? 3 : 1;
        assert_int_equal(evidence[j].positions, N);
        assert_close(evidence[j].mean_count, size, 1e-12);
        assert_close(evidence[j].inflation, 1, 1e-9);
        assert_close(evidence[j].correlation, 0, 1e-12);
        assert_int_equal(evidence[j].partner, j);
        assert_int_equal(evidence[j].flags, 0);
        // sparsity / 2 / sqrt(sum of squares)
        assert_close(evidence[j].standard_error, N / (size * sqrt(N)), 1e-6);
    }
}

// Column 1 is a mixture of columns 0 and 2, with cosine c: both are inflated by 1 / (1 - c^2).
static void test_correlated_pair(void **state) {
    (void)state;
    int16_t counts[N * 3];
    int32_t labels[N], low[3] = {-9, -9, -9}, high[3] = {9, 9, 9};
    for (size_t i = 0; i < N; i++) {
        counts[i * 3] = sign_of(i, 1);
        counts[i * 3 + 1] = (int16_t) - (4 * sign_of(i, 1) + 3 * sign_of(i, 2));
        counts[i * 3 + 2] = sign_of(i, 5);
    }
    fill_labels(labels);
    OptimumProblem problem = {
        .counts = counts, .n = N, .m = 3, .labels = labels, .low = low, .high = high};
    WeightEvidence evidence[3];
    assert_int_equal(identify(&problem, nothing, evidence), OK);
    assert_close(evidence[0].correlation, -0.8, 1e-12);
    assert_int_equal(evidence[0].partner, 1);
    assert_int_equal(evidence[1].partner, 0);
    assert_close(evidence[0].inflation, 1 / 0.36, 1e-9);
    assert_close(evidence[1].inflation, 1 / 0.36, 1e-9);
    assert_close(evidence[2].inflation, 1, 1e-9);
    assert_close(evidence[0].standard_error / evidence[2].standard_error, 1 / 0.6, 1e-9);
    assert_close(evidence[1].standard_error / evidence[2].standard_error, 1 / 3.0, 1e-9);
    assert_int_equal(evidence[0].flags | evidence[1].flags | evidence[2].flags, 0);
}

// Columns: a; 2 a; b; c; b + c; d; never counted; fixed; one position only; the constant, like d.
static void test_what_cannot_be_determined(void **state) {
    (void)state;
    enum { M = 9, ROWS = 4 * N };
    int16_t counts[ROWS * M] = {0};
    int32_t labels[ROWS], low[M], high[M];
    for (size_t i = 0; i < ROWS; i++) {
        int16_t *row = counts + i * M;
        row[0] = sign_of(i, 1);
        row[1] = (int16_t)(2 * row[0]);
        row[2] = sign_of(i, 2);
        row[3] = sign_of(i, 4);
        row[4] = (int16_t)(row[2] + row[3]);
        row[5] = sign_of(i, 8);
        row[7] = sign_of(i, 16);
        row[8] = i == 17;
        labels[i] = 2 * (int32_t)i - ROWS + 1;
    }
    for (size_t j = 0; j < M; j++) {
        low[j] = -9;
        high[j] = j == 7 ? -9 : 9;
    }
    OptimumProblem problem = {.counts = counts,
                              .n = ROWS,
                              .m = M,
                              .labels = labels,
                              .low = low,
                              .high = high,
                              .has_constant = true,
                              .constant_low = 0,
                              .constant_high = 5};
    double weights[M + 1] = {[5] = 9, [7] = -9, [M] = 2};
    WeightEvidence evidence[M + 1];
    assert_int_equal(identify(&problem, weights, evidence), OK);
    for (size_t j = 0; j < 5; j++) {
        assert_true(isinf(evidence[j].inflation) && isinf(evidence[j].standard_error));
        assert_int_equal(evidence[j].flags, IDENTIFY_COLLINEAR);
    }
    assert_int_equal(evidence[0].partner, 1);
    assert_close(evidence[0].correlation, 1, 1e-12);
    assert_true(isfinite(evidence[5].standard_error) && evidence[5].inflation < 1.1);
    assert_int_equal(evidence[5].flags, IDENTIFY_AT_BOUND);
    assert_int_equal(evidence[6].flags, IDENTIFY_NEVER);
    assert_true(isinf(evidence[6].standard_error));
    assert_int_equal(evidence[7].flags, IDENTIFY_FIXED);
    assert_true(isnan(evidence[7].standard_error));
    assert_int_equal(evidence[8].flags, IDENTIFY_RARE);
    assert_int_equal(evidence[8].positions, 1);
    assert_int_equal(evidence[M].flags, 0);
    assert_int_equal(evidence[M].positions, ROWS);
}

// Labels with Laplace noise of scale s: the density at 0 is 1 / 2s, so that the error of a weight
// is s / sqrt(sum of squares); the sparsity is an estimate, hence the tolerance.
static void test_laplace_noise(void **state) {
    (void)state;
    static TestProblem test;
    Rng rng = rng_at(3, 0, 0, 0);
    const OptimumProblem *problem = test_problem(&test, &rng, PROBLEM_ROWS_MAX, 5, 100, 0);
    double truth[5], scale = 80;
    for (size_t j = 0; j < 5; j++) {
        test.low[j] = -1000;
        test.high[j] = 1000;
        truth[j] = 10 * (double)j;
    }
    for (size_t i = 0; i < PROBLEM_ROWS_MAX; i++) {
        double noise = -scale * log(1 - rng_real(&rng)), score = 0;
        for (size_t j = 0; j < 5; j++)
            score += truth[j] * test.counts[i * 5 + j];
        test.labels[i] = (int32_t)lrint(score + (rng_u32(&rng) % 2 ? noise : -noise));
    }
    OptimumResult result;
    WeightEvidence evidence[5];
    assert_int_equal(optimum_solve(problem, 0, &result), OK);
    assert_int_equal(identify(problem, result.weights, evidence), OK);
    for (size_t j = 0; j < 5; j++) {
        double squares = 0;
        for (size_t i = 0; i < PROBLEM_ROWS_MAX; i++)
            squares += test.counts[i * 5 + j] * test.counts[i * 5 + j];
        double expected = scale / sqrt(squares);
        assert_close(evidence[j].standard_error, expected, 0.15 * expected);
        assert_close(result.weights[j], truth[j], 4 * expected);
    }
    optimum_result_free(&result);
}

static void test_too_little_data(void **state) {
    (void)state;
    static TestProblem test;
    for (uint32_t i = 0; i < 100; i++) {
        Rng rng = rng_at(4, i, 0, 0);
        const OptimumProblem *problem = test_problem(&test, &rng, i % 7, 6, 50, 10);
        WeightEvidence evidence[6];
        assert_int_equal(identify(problem, nothing, evidence), OK);
        for (size_t j = 0; j < 6; j++) {
            bool fixed = problem->low[j] == problem->high[j];
            assert_true(fixed == isnan(evidence[j].standard_error));
            assert_true(fixed || evidence[j].standard_error >= 0);
            assert_true(fixed || problem->n > 0 || isinf(evidence[j].standard_error));
        }
    }
}

static void test_names_of_flags(void **state) {
    (void)state;
    char text[64], small[8];
    assert_string_equal(identify_flags_text(0, text, sizeof text), "");
    assert_string_equal(identify_flags_text(IDENTIFY_RARE | IDENTIFY_AT_BOUND, text, sizeof text),
                        "rare, at a bound");
    assert_string_equal(identify_flags_text(~0u, small, sizeof small), "never c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvalues),     cmocka_unit_test(test_orthogonal_columns),
        cmocka_unit_test(test_correlated_pair), cmocka_unit_test(test_what_cannot_be_determined),
        cmocka_unit_test(test_laplace_noise),   cmocka_unit_test(test_too_little_data),
        cmocka_unit_test(test_names_of_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
