// SPDX-License-Identifier: GPL-3.0-or-later
// The information matrix of a loss around given coefficients: how sharply it bends, and so what the
// positions know of each coefficient.
#pragma once

#include "fit/fit.h"

typedef struct Information {
    size_t terms, free_count;
    size_t positions;   // that were summed up
    double pull_weight; // of a pull beside a log likelihood, to the second derivative
    size_t *free_of;    // of each coefficient: its row, or SIZE_MAX where it is fixed
    double *matrix;     // of the free ones, a sum over positions: the lower triangle
} Information;

// Of all positions, or of at most so many that are spread over the set.
MUST_CHECK Status information_find(Information *out, const FitConfig *config, const LinearSet *set,
                                   size_t most, const double *coefficients, DistPool *pool);
void information_free(Information *info);
// What the pull adds to the diagonal beside so many positions, or games.
static inline double information_of_pull(const Information *info, const FitConfig *config,
                                         size_t count) {
    return info->pull_weight * config->pull * (double)count / (FIT_PULL_UNIT * FIT_PULL_UNIT);
}
