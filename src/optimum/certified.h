// SPDX-License-Identifier: GPL-3.0-or-later
// The certified optimum of a family on a labelled set: the least error any of its weights can
// reach, and what the set can tell about each of them.
#pragma once

#include "fitness/mentor_fitness.h"
#include "optimum/identify.h"

typedef struct CertifiedOptimum {
    OptimumResult result;
    WeightEvidence *evidence; // one per parameter; owned
    size_t positions;
    int scale; // of the labels and errors: so many are a centipawn
} CertifiedOptimum;

// Solves over the boxes of the space, whose parameters are the coefficients themselves (ERR_ARG for
// a family where they are not); `scale` is the family's. Needs a copy of the counts in rows while
// it works.
MUST_CHECK Status certified_solve(const CountMatrix *matrix, const EvolveSpace *space, int scale,
                                  CertifiedOptimum *out);
void certified_free(CertifiedOptimum *optimum);
// Errors per position in centipawns: the proven bound, the real weights' and the best whole
// weights'.
double certified_bound(const CertifiedOptimum *optimum);
double certified_error(const CertifiedOptimum *optimum);
double certified_whole_error(const CertifiedOptimum *optimum);
// How far an error is above the bound, in percent; infinite above a bound of 0.
double certified_distance(const CertifiedOptimum *optimum, double error);
