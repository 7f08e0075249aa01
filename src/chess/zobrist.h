// SPDX-License-Identifier: GPL-3.0-or-later
// The random numbers behind position keys: those of the Polyglot book format, so that one key
// serves the search, repetitions, duplicates and books.
#pragma once

#include "chess/types.h"

typedef struct ZobristTables {
    uint64_t piece[PIECE_NB][SQUARE_NB];
    uint64_t castling[CASTLING_NB];
    uint64_t ep_file[8];
    uint64_t white_to_move;
} ZobristTables;

extern ZobristTables zobrist; // written by zobrist_init, constant afterwards

// Fills the tables; called through chess_init.
void zobrist_init(void);
