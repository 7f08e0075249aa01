// SPDX-License-Identifier: GPL-3.0-or-later
// The physical limit of a family on a labelled set: the least error any of its weights can reach,
// and what the set can tell about each of them.
#pragma once

#include "evolve/space.h"
#include "fitness/linear/counts.h"
#include "optimum/identify.h"

typedef struct Limit {
    OptimumResult optimum;
    WeightEvidence *evidence; // one per parameter; owned
    size_t positions;
    int scale; // of the labels and errors: so many are a centipawn
} Limit;

// Solves over the boxes of the space, whose parameters are the coefficients themselves (ERR_ARG for
// a family where they are not); `scale` is the family's. Needs a copy of the counts in rows while
// it works.
MUST_CHECK Status limit_solve(const CountMatrix *matrix, const EvolveSpace *space, int scale,
                              Limit *out);
void limit_free(Limit *limit);
// Errors per position in centipawns: the proven bound, the real weights' and the best whole
// weights'.
double limit_bound(const Limit *limit);
double limit_error(const Limit *limit);
double limit_whole_error(const Limit *limit);
// How far an error is above the bound, in percent; infinite above a bound of 0.
double limit_distance(const Limit *limit, double error);
