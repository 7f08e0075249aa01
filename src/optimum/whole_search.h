// SPDX-License-Identifier: GPL-3.0-or-later
// Good whole-number weights for the least absolute error, near real ones: exact line searches along
// one weight and along two at once, from several starts.
#pragma once

#include "optimum/columns.h"

// Starts from the rounded `real` weights, from random roundings of them and from the middle of the
// box; leaves the best in `best` and returns its error.
int64_t whole_search(const Columns *columns, const double *real, uint64_t seed, int32_t *best);
// The same in 64 bits only, for comparison.
int64_t whole_search_plain(const Columns *columns, const double *real, uint64_t seed,
                           int32_t *best);
