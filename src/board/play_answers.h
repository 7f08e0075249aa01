// SPDX-License-Identifier: GPL-3.0-or-later
// What a page with a board asks besides positions: the score term by term, and games as text.
#pragma once

#include "board/play_game.h"
#include "eval/weights.h"

// Appends the static score of a position and its terms, those that one side has some of. `name` is
// that of the weights.
void play_terms_write(const Weights *weights, const Position *pos, const char *name, Str *out);

// Appends the game of what was asked as PGN in JSON, with the names `white` and `black` if it has
// them, and today's date.
MUST_CHECK Status play_pgn_write(StrView body, const char *event, Str *out);
