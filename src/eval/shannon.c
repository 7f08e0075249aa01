// SPDX-License-Identifier: GPL-3.0-or-later
// The family of CEC 2001, in tenths of a centipawn: thousandths of its pawn. Its body is
// score_position.
#include "chess/movegen.h"
#include "eval/body.h"

enum { UNIT = 10 };

enum {
#define TERM(name, ...) name,
#include "eval/shannon.def"
    TERM_COUNT
};

static const Term terms[TERM_COUNT] = {
#define TERM(name, low, high, start, meaning)                                                      \
    {#name, 0, (low)*UNIT, (high)*UNIT, (start)*UNIT, meaning},
#include "eval/shannon.def"
};

INLINE void score_pawns(Sum *sum, const Bitboard pawns[COLOR_NB], Color us) {
    Color them = color_other(us);
    Bitboard passed = passed_pawns(pawns, us, pawn_span(pawns[them], them));
    Bitboard near = bb_relative_rank(5, us) | bb_relative_rank(6, us);
    add(sum, us, PAWN_VALUE, bb_count(pawns[us]));
    add(sum, us, PAWN_NEAR_PROMOTION, bb_count(passed & near));
}

INLINE void score_material(Sum *sum, const Position *pos, Color us) {
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        add(sum, us, KNIGHT_VALUE + (unsigned)(type - KNIGHT), position_count(pos, us, type));
}

INLINE void score_centre(Sum *sum, const Position *pos) {
    unsigned attacked[COLOR_NB] = {0};
    for (Bitboard centre = board_rings[2]; centre != 0;) {
        Bitboard attackers = position_all_attackers(pos, bb_pop(&centre), position_occupied(pos));
        for (Color color = WHITE; color < COLOR_NB; color++)
            attacked[color] += (attackers & pos->colors[color]) != 0;
    }
    add(sum, WHITE, CENTRE_CONTROL, attacked[WHITE]);
    add(sum, BLACK, CENTRE_CONTROL, attacked[BLACK]);
}

INLINE void score_position(Sum *sum, const Position *pos) {
    const Bitboard pawns[COLOR_NB] = {position_pieces(pos, WHITE, PAWN),
                                      position_pieces(pos, BLACK, PAWN)};
    for (Color us = WHITE; us < COLOR_NB; us++) {
        score_pawns(sum, pawns, us);
        score_material(sum, pos, us);
        add(sum, us, LEGAL_MOVE, (unsigned)movegen_count_side(pos, us));
    }
    score_centre(sum, pos);
}

static int score(const Position *pos, const int *coefficients, PawnCache *cache) {
    (void)cache;
    Sum sum = {.coefficients = coefficients};
    score_position(&sum, pos);
    return sum.score;
}

static void trace(const Position *pos, Trace sides[COLOR_NB]) {
    clear_counts(sides, TERM_COUNT);
    Sum sum = {.sides = sides};
    score_position(&sum, pos);
}

const Family family_shannon = {
    .name = "shannon",
    .version = 1,
    .unit = UNIT,
    .scale = UNIT,
    .terms = terms,
    .term_count = TERM_COUNT,
    .coefficient_count = TERM_COUNT,
    .feature_count = TERM_COUNT,
    .score = score,
    .trace_sides = trace,
};
