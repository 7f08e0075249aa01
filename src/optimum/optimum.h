// SPDX-License-Identifier: GPL-3.0-or-later
// The least sum of absolute errors that any weights within a box can reach on labelled counts: the
// certified optimum of a linear family. docs/optimum.md has the mathematics.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The score of position i is the sum of counts[i * stride + j] times weight j; its error is the
// distance to labels[i].
typedef struct OptimumProblem {
    const int16_t *counts;
    size_t n, m;               // positions and terms
    size_t stride;             // numbers from one position to the next; 0: m
    const int32_t *labels;     // n of them
    const int32_t *shares;     // how often each position's error counts, at least once; NULL: once
    const int32_t *low, *high; // the box, m of each; equal where a weight is fixed
    // A number added to every score, such as the right to move, counts as one more weight behind
    // the m others. INT32_MIN and INT32_MAX leave it free.
    bool has_constant;
    int32_t constant_low, constant_high;
} OptimumProblem;

typedef struct OptimumResult {
    size_t count;           // of weights: m, and one more for the constant
    double *weights;        // owned: real weights that reach `error`
    double error;           // the sum over all positions
    double bound;           // proven: no weights in the box have a smaller error
    int32_t *whole_weights; // owned: the best whole numbers found
    int64_t whole_error;    // theirs, exactly
    int64_t whole_bound;    // proven: no whole numbers in the box have a smaller error
} OptimumResult;

// How many weights the problem has, with the constant.
size_t optimum_weight_count(const OptimumProblem *problem);

// Fails when the box is empty, when a sum of errors might not fit 64 bits, or when the solver gives
// up; `seed` is for the search of whole numbers.
MUST_CHECK Status optimum_solve(const OptimumProblem *problem, uint64_t seed, OptimumResult *out);
// The same without whole numbers, which take most of the time.
MUST_CHECK Status optimum_solve_real(const OptimumProblem *problem, OptimumResult *out);
void optimum_result_free(OptimumResult *result);

// A lower bound on the error of any weights in the box, from any n numbers (those beyond -1 and 1
// are cut, NaN is 0): exact arithmetic, rounded down. Good multipliers make it a good bound.
MUST_CHECK Status optimum_bound(const OptimumProblem *problem, const double *multipliers,
                                double *bound);
// The error of given weights, in the box or not.
MUST_CHECK Status optimum_error(const OptimumProblem *problem, const double *weights,
                                double *error);
