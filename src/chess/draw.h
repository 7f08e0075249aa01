// SPDX-License-Identifier: GPL-3.0-or-later
// How games end without a winner, and how they end at all.
#pragma once

#include "chess/position.h"

// True when neither side can mate by any play: bare kings, one minor piece, or bishops all on one
// colour of squares.
bool draw_by_material(const Position *pos);

// How often the last of `keys` occurred before, looking back no further than `halfmove` plies.
unsigned draw_repetitions(const uint64_t *keys, size_t count, unsigned halfmove);

typedef enum GameEnd {
    GAME_GOES_ON,
    GAME_CHECKMATE,
    GAME_STALEMATE,
    GAME_MATERIAL,
    GAME_FIFTY_MOVES,
    GAME_REPETITION,
} GameEnd;

// Whether the game is over in `pos`, whose key is the last of `keys`. Mate comes before fifty
// moves.
GameEnd game_end(const Position *pos, const uint64_t *keys, size_t count);
