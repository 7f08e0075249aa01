// SPDX-License-Identifier: GPL-3.0-or-later
// Played games as PGN, with what the players thought: {+0.31/12 0.50s}.
#pragma once

#include "match/play/game.h"

typedef struct GameNames {
    const char *event, *white, *black;
    uint64_t round;        // from 1
    const GameSide *sides; // of White and Black: their time controls
} GameNames;

// Appends the game. Illegal moves are not in it: they were never made.
MUST_CHECK Status game_write_pgn(const GameRecord *record, const GameNames *names, Str *out);
