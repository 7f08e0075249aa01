// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer rate prints: ratings as tables, and what counts of results say.
#pragma once

#include "match/rating/rating_games.h"
#include "match/rating/sprt.h"
#include "tools/print_table.h"

// The list: best first, group by group, without players of fewer games; to a file, or printed where
// `output` is NULL.
MUST_CHECK Status rate_write_list(const Ratings *ratings, const RatingGames *games,
                                  double min_games, TableFormat format, const char *output);
// Likelihood that the player of the row is stronger than that of the column, in percent: the first
// `most` of the list.
void rate_print_superiority(const Ratings *ratings, const RatingGames *games, double min_games,
                            size_t most, TableFormat format);
// `sprt` is NULL when no test was asked for.
void rate_counts(const GameCounts *counts, const SprtConfig *sprt, TableFormat format);
void rate_pairs(const PairCounts *pairs, const SprtConfig *sprt, TableFormat format);
