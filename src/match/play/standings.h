// SPDX-License-Identifier: GPL-3.0-or-later
// Results as text: cutechess's lines or fastchess's block for two engines, a rank table for more.
#pragma once

#include "base/str.h"
#include "match/play/tally.h"
#include "match/rating/sprt.h"

// "Score of A vs B: ...", from A's view: one line.
void standings_write_line(const Tally *tally, const char *const *names, int a, int b, Str *out);
// That line, "Elo difference: ..." and the pairs of games.
void standings_write_score(const Tally *tally, const char *const *names, int a, int b,
                           bool has_pairs, Str *out);
// "Results of A vs B (...)": fastchess's lines; `setting` is what stands in the parentheses.
void standings_write_block(const Tally *tally, const char *const *names, int a, int b,
                           bool has_pairs, const char *setting, Str *out);
// Players by score, with the Elo of each against the field it met, and the scores of each two.
void standings_write_ranks(const Tally *tally, const char *const *names, Str *out);
// A line for each two that have met.
void standings_write_meetings(const Tally *tally, const char *const *names, bool has_pairs,
                              Str *out);
// What each did wrong.
void standings_write_faults(const Tally *tally, const char *const *names, Str *out);
