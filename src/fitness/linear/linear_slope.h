// SPDX-License-Identifier: GPL-3.0-or-later
// Loss and slope of real coefficients over a set of positions, the same for any number of threads
// (on one kind of machine: sums are made in vectors, whose length differs).
#pragma once

#include "dist/pool.h"
#include "fitness/linear/linear_loss.h"
#include "fitness/linear/linear_set.h"

// The mean loss of the positions by their weights, and its slope, one number per coefficient;
// `gradient` may be NULL.
MUST_CHECK Status linear_slope(const LinearSet *set, const LinearLoss *loss,
                               const double *coefficients, DistPool *pool, double *mean,
                               double *gradient);
// The same in the plainest way, as a twin to test against.
void linear_slope_plain(const LinearSet *set, const LinearLoss *loss, const double *coefficients,
                        double *mean, double *gradient);
// The score of each position.
MUST_CHECK Status linear_scores(const LinearSet *set, const double *coefficients, DistPool *pool,
                                float *scores);
// How many scores whole blocks have: the last of them may be of no position, and are 0.
static inline size_t linear_scores_room(const LinearSet *set) {
    return set->block_count * LINEAR_BLOCK;
}
// The mean loss where the scores are known: what linear_slope says, to the last bit.
MUST_CHECK Status linear_loss_of_scores(const LinearSet *set, const LinearLoss *loss,
                                        const float *scores, DistPool *pool, double *mean);
