// SPDX-License-Identifier: GPL-3.0-or-later
// What the games of a match say about its players.
#pragma once

#include "serve/match_view.h"

// How the sequential test stands; of a match that has one.
SprtState match_table_sprt(const MatchView *match);
// Appends the keys for the list of all: the leader, and a small curve of the first player's score.
void match_table_write_summary(const MatchView *match, Str *out);
// Appends the table of players, and of two the difference with its interval, and the test.
void match_table_write(const MatchView *match, Str *out);
