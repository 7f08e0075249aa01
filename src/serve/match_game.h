// SPDX-License-Identifier: GPL-3.0-or-later
// One finished game of a match: its moves, and what the engines thought of them.
#pragma once

#include "base/error.h"
#include "base/str.h"

// Appends a game from its text as the match wrote it (PGN with comments): players, result, and for
// each move the position after it and, where the comment has one, the score from White's view.
MUST_CHECK Status match_game_write(StrView pgn, Str *out);
