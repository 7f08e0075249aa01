// SPDX-License-Identifier: GPL-3.0-or-later
// What the bodies of families have in common: the sum they add to, sets of squares, and kinds of
// pawns. A body is always inlined, once into the scorer, which multiplies and forgets, and once
// into the tracer, which records each side's counts. (Tapered families count alone: see taper.h.)
#pragma once

#include "eval/pawn_cache.h"

#include <string.h>

#define INLINE [[gnu::always_inline]] static inline

// What calls to add() go into: a score, or a trace of each side where there is one.
typedef struct Sum {
    const int *coefficients;
    Trace *sides;
    int score;
} Sum;

// What a tracer begins with.
static inline void clear_counts(Trace sides[COLOR_NB], size_t count) {
    for (Color color = WHITE; color < COLOR_NB; color++)
        memset(sides[color].counts, 0, count * sizeof sides[color].counts[0]);
}

INLINE void add(Sum *sum, Color us, unsigned coefficient, unsigned count) {
    if (sum->sides != NULL)
        sum->sides[us].counts[coefficient] =
            (int16_t)(sum->sides[us].counts[coefficient] + (int)count);
    else if (us == WHITE)
        sum->score += (int)count * sum->coefficients[coefficient];
    else
        sum->score -= (int)count * sum->coefficients[coefficient];
}

// A defect of `us`.
INLINE void subtract(Sum *sum, Color us, unsigned coefficient, unsigned count) {
    add(sum, us, coefficient, 0 - count);
}

// --- sets of squares ---

// Rings 1, 2 and 3 of the board, each with all within.
static const Bitboard board_rings[3] = {0x007E7E7E7E7E7E00, 0x00003C3C3C3C0000, 0x0000001818000000};

INLINE Bitboard fill_forward(Bitboard set, Color us) {
    for (unsigned step = 8; step < 64; step *= 2)
        set |= us == WHITE ? set << step : set >> step;
    return set;
}

// Files as 8 bits, from a set and to one.
INLINE uint8_t files_of(Bitboard set) {
    return (uint8_t)(fill_forward(set, BLACK) & 0xFF);
}
INLINE Bitboard bb_files(unsigned files) {
    return (files & 0xFF) * FILE_A;
}
INLINE Bitboard files_beside(Bitboard files) {
    return (files & ~FILE_H) << 1 | (files & ~FILE_A) >> 1;
}

INLINE Bitboard bb_relative_rank(unsigned rank, Color us) {
    return bb_rank(us == WHITE ? rank : 7 - rank);
}

// --- kinds of pawns ---

// Squares that pawns guard, or may guard once they advance.
INLINE Bitboard pawn_span(Bitboard pawns, Color us) {
    return fill_forward(bb_pawn_attacks(pawns, us), us);
}

// What every family keeps of a pawn structure.
INLINE void find_spans(const Bitboard pawns[COLOR_NB], PawnEntry *entry) {
    for (Color us = WHITE; us < COLOR_NB; us++) {
        entry->spans[us] = pawn_span(pawns[us], us);
        entry->free[us] = ~bb_files(files_of(pawns[us]));
    }
}

// With another pawn of their own further up the file.
INLINE Bitboard doubled_pawns(Bitboard pawns, Color us) {
    Color them = color_other(us);
    return pawns & bb_forward(fill_forward(pawns, them), them);
}

// Without a pawn of their own beside their file; `files` are all squares of files with one.
INLINE Bitboard isolated_pawns(Bitboard pawns, Bitboard files) {
    return pawns & ~files_beside(files);
}

// Pawns that are not isolated, lag behind both neighbours and are stopped by an enemy pawn's guard.
INLINE Bitboard backward_pawns(const Bitboard pawns[COLOR_NB], Color us, Bitboard span,
                               Bitboard isolated) {
    Color them = color_other(us);
    Bitboard stops_hit = bb_forward(bb_pawn_attacks(pawns[them], them), them);
    // A neighbour beside or behind has this square in its span, or will pass by this one.
    return pawns[us] & ~isolated & ~bb_forward(span, them) & stops_hit;
}

// Without enemy pawns before them on three files, and the first of their own on theirs.
INLINE Bitboard passed_pawns(const Bitboard pawns[COLOR_NB], Color us, Bitboard enemy_span) {
    Color them = color_other(us);
    Bitboard before_enemies = fill_forward(pawns[them], them) | enemy_span;
    Bitboard behind_own = bb_forward(fill_forward(pawns[us], them), them);
    return pawns[us] & ~before_enemies & ~behind_own;
}
