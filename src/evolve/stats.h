// SPDX-License-Identifier: GPL-3.0-or-later
// What a generation looks like in a few numbers.
#pragma once

#include "evolve/evolve.h"

typedef struct EvolveStats {
    uint32_t generation;
    uint64_t evaluations; // up to and with this generation; games where games are played
    size_t count;         // organisms of this generation
    bool has_scores;      // false for algorithms that learn from games
    int64_t best, worst;
    double mean, median;
    double diversity; // standard deviation over the size of the box, mean of all free parameters
    const double *best_parameters; // of this generation's best; borrowed
} EvolveStats;

// Statistics of a batch and its scores (NULL where there are none).
EvolveStats stats_of_batch(const EvolveSpace *space, const EvolveBatch *batch,
                           const int64_t *scores);
