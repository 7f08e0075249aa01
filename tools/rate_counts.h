// SPDX-License-Identifier: GPL-3.0-or-later
// What counts of games or pairs say, for falconer rate --counts and --pairs.
#pragma once

#include "match/rating/sprt.h"
#include "tools/rate_table.h"

// `sprt` is NULL when no test was asked for.
void rate_counts(const GameCounts *counts, const SprtConfig *sprt, RateFormat format);
void rate_pairs(const PairCounts *pairs, const SprtConfig *sprt, RateFormat format);
