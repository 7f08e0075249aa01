// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of squares as 64 bits.
#pragma once

#include "chess/types.h"

#define FILE_A 0x0101010101010101ULL
#define FILE_H 0x8080808080808080ULL
#define RANK_1 0x00000000000000FFULL
#define RANK_8 0xFF00000000000000ULL

#define LIGHT_SQUARES 0x55AA55AA55AA55AAULL

static inline Bitboard bb_square(Square square) {
    return 1ULL << square;
}
static inline Bitboard bb_file(unsigned file) {
    return FILE_A << file;
}
static inline Bitboard bb_rank(unsigned rank) {
    return RANK_1 << 8 * rank;
}
static inline bool bb_has(Bitboard set, Square square) {
    return set >> square & 1;
}
static inline unsigned bb_count(Bitboard set) {
    return (unsigned)__builtin_popcountll(set);
}
static inline bool bb_several(Bitboard set) {
    return (set & (set - 1)) != 0;
}
// The lowest square of a set that is not empty.
static inline Square bb_first(Bitboard set) {
    return (Square)__builtin_ctzll(set);
}
static inline Square bb_last(Bitboard set) {
    return (Square)(63 - __builtin_clzll(set));
}
static inline Square bb_pop(Bitboard *set) {
    Square square = bb_first(*set);
    *set &= *set - 1;
    return square;
}
static inline Bitboard bb_flip(Bitboard set) {
    return __builtin_bswap64(set);
}

// One step for a pawn of `color`.
static inline Bitboard bb_forward(Bitboard set, Color color) {
    return color == WHITE ? set << 8 : set >> 8;
}
// Captures of pawns of `color` towards the a-file and towards the h-file.
static inline Bitboard bb_pawn_west(Bitboard pawns, Color color) {
    return color == WHITE ? (pawns & ~FILE_A) << 7 : (pawns & ~FILE_A) >> 9;
}
static inline Bitboard bb_pawn_east(Bitboard pawns, Color color) {
    return color == WHITE ? (pawns & ~FILE_H) << 9 : (pawns & ~FILE_H) >> 7;
}
static inline Bitboard bb_pawn_attacks(Bitboard pawns, Color color) {
    return bb_pawn_west(pawns, color) | bb_pawn_east(pawns, color);
}
