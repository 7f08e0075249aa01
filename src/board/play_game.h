// SPDX-License-Identifier: GPL-3.0-or-later
// A game as a page tells it, in JSON: the position it began from and the moves since. Who answers,
// a server or the engine in a browser, keeps none: pages do.
#pragma once

#include "chess/draw.h"
#include "chess/pgn.h"

enum { PLAY_PLIES_MAX = 1200 };

typedef struct PlayGame {
    PgnGame pgn;    // its moves, and `final`
    uint64_t *keys; // owned: of all positions, the last that of `final`
    size_t key_count, key_capacity;
    GameEnd end;
} PlayGame;

// Reads `fen` ("" or none: the start) and `moves` (UCI, blanks between) of what was asked, and
// `say`, one more move as people write it, if there is one. Free it whatever came of it.
MUST_CHECK Status play_game_read(PlayGame *game, StrView body);
void play_game_free(PlayGame *game);
// How it ended; RESULT_UNKNOWN while it goes on.
GameResult play_game_result(const PlayGame *game);

// Appends the position: FEN, legal moves, what was played, and whether it is over.
void play_game_write(const PlayGame *game, Str *out);

// The text of a key of what was asked; "" where there is none.
void play_text(StrView body, const char *key, Str *out);
