// SPDX-License-Identifier: GPL-3.0-or-later
// Selection: who mates how often. Every kind is a list of shares, from which a wheel is made.
#pragma once

#include "base/error.h"
#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

typedef enum Selection { SELECTION_PROPORTIONAL, SELECTION_RANK, SELECTION_HALF } Selection;

// How a score, which may be negative, becomes a share of proportional selection.
typedef enum Scaling {
    SCALING_SHIFT,          // the score less the worst score
    SCALING_SIGMA,          // the score less what is one deviation below the mean, at least 0
    SCALING_INVERSE,        // 1 / E, for a score that is minus an error E
    SCALING_INVERSE_SQUARE, // 1 / E^2
    SCALING_RAW,            // the score itself, at least 0
    SCALING_SQUARE,         // its square
} Scaling;

// Names in the order of the enums, NULL at the end.
extern const char *const selection_names[];
extern const char *const scaling_names[];

// Shares proportional to scaled scores; all the same where all would be 0. An error E of 0 counts
// as 1. ERR_ARG where a score has the wrong sign for the scaling.
MUST_CHECK Status selection_proportional(Scaling scaling, const int64_t *scores, size_t count,
                                         double *shares);
// Linear ranking: the best gets `slope` times the mean share, the worst 2 - slope; slope in 1..2.
void selection_rank(double slope, const int64_t *scores, size_t count, double *shares);
// The better half (rounded up) shares evenly, the rest gets nothing.
void selection_half(const int64_t *scores, size_t count, double *shares);

// Indices from the best score to the worst; of equal scores the lower index comes first.
void selection_order(const int64_t *scores, size_t count, uint32_t *order);

// Turns shares, not all 0, into running sums.
void selection_wheel_build(double *shares, size_t count);
// An index drawn in proportion to its share.
size_t selection_wheel_spin(const double *sums, size_t count, Rng *rng);
