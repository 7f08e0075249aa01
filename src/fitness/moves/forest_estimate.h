// SPDX-License-Identifier: GPL-3.0-or-later
// What judging a large set will take, by judging a small part of it.
#pragma once

#include "fitness/moves/forest.h"

typedef struct ForestEstimate {
    double first_seconds, later_seconds; // of a generation: trees grow most in the first
    double bytes;                        // of the trees after two
} ForestEstimate;

// Judges two generations of so many organisms, given one after the other, on positions spread over
// the set. Times are those of this machine as it is now.
MUST_CHECK Status forest_estimate(const PlayedSet *set, const ForestConfig *config,
                                  const int32_t *coefficients, size_t organisms, DistPool *pool,
                                  ForestEstimate *out);
