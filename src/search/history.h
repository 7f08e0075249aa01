// SPDX-License-Identifier: GPL-3.0-or-later
// What the search learned about moves: which were good, after what, and how far static scores were
// off. One thread's own.
#pragma once

#include "chess/position.h"
#include "search/features.h"

enum { HISTORY_LIMIT = 16384, CORRECTION_SLOTS = 16384, CORRECTION_GRAIN = 256 };

// Scores of moves by the piece that moves and where it goes.
typedef int16_t PieceToHistory[PIECE_NB][SQUARE_NB];

typedef struct History {
    int16_t butterfly[COLOR_NB][SQUARE_NB][SQUARE_NB];
    int16_t capture[PIECE_NB][SQUARE_NB][PIECE_TYPE_NB + 1];
    Move counter[PIECE_NB][SQUARE_NB];
    PieceToHistory continuation[PIECE_NB][SQUARE_NB]; // by the earlier move's piece and square
    int16_t correction[COLOR_NB][CORRECTION_SLOTS];   // by pawn structure
} History;

void history_clear(History *history);

// Moves a value towards +-HISTORY_LIMIT, less the nearer it is.
static inline void history_update(int16_t *value, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / HISTORY_LIMIT);
}

// The static score that past searches of this pawn structure suggest.
int history_corrected(const History *history, const Position *pos, int eval);
void history_correct(History *history, const Position *pos, const SearchNumbers *numbers, int depth,
                     int difference);
