// SPDX-License-Identifier: GPL-3.0-or-later
// Random problems of the least absolute error, for the tests of src/optimum.
#pragma once

#include "base/rng.h"
#include "optimum/optimum.h"

#include <stdlib.h>

enum { PROBLEM_ROWS_MAX = 5000, PROBLEM_TERMS_MAX = 40 };

typedef struct TestProblem {
    int16_t counts[PROBLEM_ROWS_MAX * PROBLEM_TERMS_MAX];
    int32_t labels[PROBLEM_ROWS_MAX];
    int32_t low[PROBLEM_TERMS_MAX], high[PROBLEM_TERMS_MAX];
    OptimumProblem problem;
} TestProblem;

static inline int32_t test_between(Rng *rng, int32_t low, int32_t high) {
    return low + (int32_t)rng_below(rng, (uint32_t)(high - low + 1));
}

// Sparse small counts; labels are scores of some weights in the box, off by up to `noise`.
static inline const OptimumProblem *test_problem(TestProblem *test, Rng *rng, size_t n, size_t m,
                                                 int32_t width, int32_t noise) {
    int32_t truth[PROBLEM_TERMS_MAX];
    for (size_t j = 0; j < m; j++) {
        test->low[j] = test_between(rng, -width, 0);
        test->high[j] = test->low[j] + test_between(rng, 0, width);
        truth[j] = test_between(rng, test->low[j], test->high[j]);
    }
    for (size_t i = 0; i < n; i++) {
        test->labels[i] = test_between(rng, -noise, noise);
        for (size_t j = 0; j < m; j++) {
            int16_t count = (int16_t)(rng_below(rng, 3) == 0 ? 0 : test_between(rng, -3, 3));
            test->counts[i * m + j] = count;
            test->labels[i] += count * truth[j];
        }
    }
    test->problem = (OptimumProblem){.counts = test->counts,
                                     .n = n,
                                     .m = m,
                                     .labels = test->labels,
                                     .low = test->low,
                                     .high = test->high};
    return &test->problem;
}
