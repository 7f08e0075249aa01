// SPDX-License-Identifier: GPL-3.0-or-later
// How a tapered family goes from the middlegame to the endgame: two sums, one of each term's weight
// for either, and shares that the position's pieces decide. Weights have no part in them.
#pragma once

#include "eval/body.h"

// The endgame counts in eighths: all shares are whole, and counts times shares still fit 16 bits.
enum { PHASE_MOST = 24, SCALE_MOST = 8, TAPER_ONE = PHASE_MOST * SCALE_MOST };

// Notes a count of one side, for a term that is noted once. Scores are made of all counts at the
// end: a weight of each term at hand while counting would be more than a processor's registers.
INLINE void put(Trace sides[COLOR_NB], Color us, unsigned term, unsigned count) {
    sides[us].counts[term] = (int16_t)count;
}
// Adds to what was noted.
INLINE void put_more(Trace sides[COLOR_NB], Color us, unsigned term, unsigned count) {
    sides[us].counts[term] = (int16_t)(sides[us].counts[term] + (int)count);
}

typedef struct TaperedSum {
    int middlegame, endgame;
} TaperedSum;

// The two sums of `count` terms. Its plain twin is family_dot.
INLINE TaperedSum tapered_sum(const Trace sides[COLOR_NB], const int *coefficients, size_t count) {
    const int16_t *white = sides[WHITE].counts, *black = sides[BLACK].counts;
    TaperedSum sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const int difference = white[i] - black[i];
        sum.middlegame += difference * coefficients[2 * i];
        sum.endgame += difference * coefficients[2 * i + 1];
    }
    return sum;
}

// Minor pieces count 1, rooks 2, queens 4; all of them make 24. Endgames with bishops of opposite
// colours, and those without pawns, are worth less than they look.
static inline Taper taper_of(const Position *pos) {
    const Bitboard bishops = pos->types[BISHOP], pawns = pos->types[PAWN];
    const Bitboard others = pos->types[KNIGHT] | pos->types[ROOK] | pos->types[QUEEN];
    const unsigned sum = bb_count(pos->types[KNIGHT] | bishops) + 2 * bb_count(pos->types[ROOK]) +
                         4 * bb_count(pos->types[QUEEN]);
    const int phase = sum > PHASE_MOST ? PHASE_MOST : (int)sum;
    const bool one_each =
        bb_count(bishops & pos->colors[WHITE]) == 1 && bb_count(bishops & pos->colors[BLACK]) == 1;
    const bool opposite =
        one_each && (bishops & LIGHT_SQUARES) != 0 && (bishops & ~LIGHT_SQUARES) != 0;
    const int scale = pawns == 0 ? SCALE_MOST / 2
                      : opposite ? (others == 0 ? SCALE_MOST / 2 : SCALE_MOST * 7 / 8)
                                 : SCALE_MOST;
    return (Taper){SCALE_MOST * phase, scale * (PHASE_MOST - phase)};
}

// In the family's scale: TAPER_ONE to a centipawn, so that nothing is rounded here.
static inline int tapered_score(Taper taper, int middlegame, int endgame) {
    return middlegame * taper.middlegame + endgame * taper.endgame;
}
