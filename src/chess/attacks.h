// SPDX-License-Identifier: GPL-3.0-or-later
// Where pieces reach. Sliders have two implementations with the same results: a table indexed by
// PEXT where the CPU has a fast one, and arithmetic alone (attacks_*_plain), which is also the
// oracle of the tests.
#pragma once

#include "chess/bitboard.h"

// Zen 1 and 2 have PEXT in microcode, slower than doing without.
#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
#define ATTACKS_USE_PEXT 1
// Not from <immintrin.h>, whose 37,000 lines were most of what most files had to read.
#define attacks_pext(bits, mask) __builtin_ia32_pext_di(bits, mask)
#else
#define ATTACKS_USE_PEXT 0
#endif

typedef struct SliderTable {
    Bitboard mask;     // squares whose occupation matters
    Bitboard *attacks; // one entry per subset of the mask
} SliderTable;

typedef struct AttackTables {
    Bitboard pawn[COLOR_NB][SQUARE_NB];
    Bitboard knight[SQUARE_NB];
    Bitboard king[SQUARE_NB];
    Bitboard between[SQUARE_NB][SQUARE_NB]; // strictly between two squares on a line, or empty
    Bitboard line[SQUARE_NB][SQUARE_NB];    // the whole line through both, or empty
    SliderTable bishop[SQUARE_NB], rook[SQUARE_NB];
} AttackTables;

extern AttackTables attack_tables; // written by attacks_init, constant afterwards

// Fills the tables; called through chess_init.
void attacks_init(void);

Bitboard attacks_bishop_plain(Square square, Bitboard occupied);
Bitboard attacks_rook_plain(Square square, Bitboard occupied);

static inline Bitboard attacks_bishop(Square square, Bitboard occupied) {
#if ATTACKS_USE_PEXT
    const SliderTable *table = &attack_tables.bishop[square];
    return table->attacks[attacks_pext(occupied, table->mask)];
#else
    return attacks_bishop_plain(square, occupied);
#endif
}

static inline Bitboard attacks_rook(Square square, Bitboard occupied) {
#if ATTACKS_USE_PEXT
    const SliderTable *table = &attack_tables.rook[square];
    return table->attacks[attacks_pext(occupied, table->mask)];
#else
    return attacks_rook_plain(square, occupied);
#endif
}

static inline Bitboard attacks_queen(Square square, Bitboard occupied) {
    return attacks_bishop(square, occupied) | attacks_rook(square, occupied);
}
static inline Bitboard attacks_knight(Square square) {
    return attack_tables.knight[square];
}
static inline Bitboard attacks_king(Square square) {
    return attack_tables.king[square];
}
static inline Bitboard attacks_pawn(Square square, Color color) {
    return attack_tables.pawn[color][square];
}
static inline Bitboard squares_between(Square a, Square b) {
    return attack_tables.between[a][b];
}
static inline Bitboard squares_line(Square a, Square b) {
    return attack_tables.line[a][b];
}

// Reach of any piece but a pawn.
static inline Bitboard attacks_of(PieceType type, Square square, Bitboard occupied) {
    switch (type) {
    case KNIGHT:
        return attacks_knight(square);
    case BISHOP:
        return attacks_bishop(square, occupied);
    case ROOK:
        return attacks_rook(square, occupied);
    case QUEEN:
        return attacks_queen(square, occupied);
    default:
        return attacks_king(square);
    }
}
