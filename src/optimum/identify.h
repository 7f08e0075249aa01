// SPDX-License-Identifier: GPL-3.0-or-later
// What labelled positions can tell about each weight: how often it matters, how sharply it is
// determined, and which other weight it could be mistaken for.
#pragma once

#include "optimum/optimum.h"

enum {
    IDENTIFY_NEVER = 1 << 0,     // no position counts it
    IDENTIFY_RARE = 1 << 1,      // fewer than one position in a hundred does
    IDENTIFY_COLLINEAR = 1 << 2, // others can nearly replace it
    IDENTIFY_AT_BOUND = 1 << 3,  // the best weight is at an end of its range
    IDENTIFY_FIXED = 1 << 4,     // its range is one number: nothing is estimated
};

typedef struct WeightEvidence {
    size_t positions;      // whose count is not zero
    double mean_count;     // of absolute counts, over all positions
    double standard_error; // infinite where the data cannot tell, NaN where the weight is fixed
    double inflation;      // of its variance by the other weights: 1 is none, infinite is hopeless
    size_t partner;        // the weight it is most like; itself when there is none
    double correlation;    // with the partner, about zero: the cosine of their counts
    unsigned flags;
} WeightEvidence;

// `weights` are those of the least error; `out` has room for optimum_weight_count(problem).
// Standard errors are those of a median regression: half the sparsity of the residuals at their
// median times the root of the diagonal of the inverse of X'X. A singular X'X makes the errors of
// those weights infinite that cannot be told apart, and no others.
MUST_CHECK Status identify(const OptimumProblem *problem, const double *weights,
                           WeightEvidence *out);
// The names of the flags that are set, with commas between; "" for none.
const char *identify_flags_text(unsigned flags, char *buffer, size_t size);
