// SPDX-License-Identifier: GPL-3.0-or-later
// What the search learned about moves: which were good, after what, and how far static scores were
// off. One thread's own.
#pragma once

#include "chess/position.h"
#include "search/features.h"

typedef enum CorrectionBy {
    CORRECTION_PAWNS,
    CORRECTION_WHITE,
    CORRECTION_BLACK,
    CORRECTION_MOVES,
    CORRECTION_NB
} CorrectionBy;

enum { HISTORY_LIMIT = 16384, CORRECTION_SLOTS = 16384, CORRECTION_GRAIN = 256 };

// Scores of moves by the piece that moves and where it goes.
typedef int16_t PieceToHistory[PIECE_NB][SQUARE_NB];

typedef struct History {
    int16_t butterfly[COLOR_NB][SQUARE_NB][SQUARE_NB];
    int16_t capture[PIECE_NB][SQUARE_NB][PIECE_TYPE_NB + 1];
    Move counter[PIECE_NB][SQUARE_NB];
    PieceToHistory continuation[PIECE_NB][SQUARE_NB]; // by the earlier move's piece and square
    // What static scores were off by, for the side to move: by pawns, white's pieces, black's, and
    // the last two moves.
    int16_t correction[COLOR_NB][CORRECTION_NB][CORRECTION_SLOTS];
} History;

void history_clear(History *history);

// Moves a value towards +-HISTORY_LIMIT, less the nearer it is.
static inline void history_update(int16_t *value, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *value = (int16_t)(*value + bonus - *value * size / HISTORY_LIMIT);
}

// Where the corrections of a position are; NULL where a part is off.
typedef struct Correction {
    int16_t *by[CORRECTION_NB];
} Correction;

// `moves` tells the last two moves from others.
Correction history_correction(History *history, const Features *features, const Position *pos,
                              uint64_t moves);
// Centipawns to add to the static score.
int correction_sum(const Correction *correction);
// `difference`: what the corrected score was still off by.
void correction_learn(const Correction *correction, const SearchNumbers *numbers, int depth,
                      int difference);
