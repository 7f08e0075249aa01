// SPDX-License-Identifier: GPL-3.0-or-later
// A smooth stand-in for the number of hits: each move is chosen with a probability that grows with
// its worth (softmax), and what is to be made small is the surprise at the moves that were played.
// Its slope comes from the same trees: the worth of a move changes as the leaf does that decides
// it.
#pragma once

#include "fitness/forest.h"

typedef struct ForestSlope {
    double loss;      // mean surprise, in natural units, per position
    double *gradient; // of the loss, one per coefficient; the caller's
    uint64_t hits;    // the played move is at least as good as all others
} ForestSlope;

// Coefficients are real numbers; `temperature` is how many points of worth make a move e times as
// likely. The same for any number of threads.
MUST_CHECK Status forest_slope(const Forest *forest, const double *coefficients, double temperature,
                               DistPool *pool, ForestSlope *out);
