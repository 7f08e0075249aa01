// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings as tables, for people and for programs.
#pragma once

#include "base/error.h"
#include "match/rating/rating_games.h"
#include "report/table.h"

typedef enum RateFormat { RATE_TEXT, RATE_CSV, RATE_JSONL } RateFormat;

// Writes a table to standard output.
void rate_print(const Table *table, RateFormat format);

// The list: best first, group by group, without players of fewer games. To standard output, or to a
// file.
MUST_CHECK Status rate_write_list(const Ratings *ratings, const RatingGames *games,
                                  double min_games, RateFormat format, const char *output);
// Likelihood that the player of the row is stronger than that of the column, in percent: the first
// `most` of the list.
void rate_print_superiority(const Ratings *ratings, const RatingGames *games, double min_games,
                            size_t most, RateFormat format);
