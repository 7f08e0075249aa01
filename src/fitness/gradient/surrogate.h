// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients that make the moves that were played likely: the smooth stand-in for the number of
// hits, made small step by step (Adam). A good place for evolution to start from.
#pragma once

#include "fitness/gradient/slope.h"

typedef struct SurrogateConfig {
    unsigned steps;
    SlopeKind kind;
    const double *low, *high; // the box, one of each per coefficient; equal where one is fixed
    // How much the loss grows with half the squared distance from the centre, so that few positions
    // do not lead far; 0: not at all. No centre: where the descent begins.
    double pull;
    const double *centre;
} SurrogateConfig;

// Improves the coefficients in place, by the source's parts in turn. Uses the maths library, so
// results are the same on one kind of machine, for any number of threads.
MUST_CHECK Status surrogate_descend(const SlopeSource *source, const SurrogateConfig *config,
                                    DistPool *pool, double *coefficients);
