// SPDX-License-Identifier: GPL-3.0-or-later
// What many terms of FALCON ask for, found in one pass over the pieces. Its body alone includes it.
#pragma once

#include "eval/body.h"
#include "eval/pawn_cache.h"

// What the pieces of a kind reach in all, and how many of them reach little.
typedef struct Reach {
    unsigned squares, stuck;
} Reach;

// How many pieces bear on the enemy king, and what they weigh.
typedef struct Siege {
    unsigned pieces, units;
} Siege;

// Everything is of each side.
typedef struct View {
    const Position *pos;
    const PawnEntry *structure;
    Bitboard occupied;
    Bitboard pawns[COLOR_NB], pawn_attacks[COLOR_NB];
    Bitboard ring[COLOR_NB];              // the king and the squares around it
    Bitboard area[COLOR_NB];              // squares that count for mobility
    Bitboard blockers[COLOR_NB];          // pieces alone between the king and an enemy slider
    Bitboard by[COLOR_NB][PIECE_TYPE_NB]; // squares that each kind of piece attacks
    Bitboard attacked[COLOR_NB], twice[COLOR_NB];
    Reach reach[COLOR_NB][PIECE_TYPE_NB];
    Siege siege[COLOR_NB];
} View;

INLINE void mark_attacks(View *view, Color us, PieceType type, Bitboard attacks) {
    view->twice[us] |= view->attacked[us] & attacks;
    view->attacked[us] |= attacks;
    view->by[us][type] |= attacks;
}

INLINE void look_at_king_and_pawns(View *view, Color us) {
    const Position *pos = view->pos;
    const Square king = position_king(pos, us);
    view->pawns[us] = position_pieces(pos, us, PAWN);
    view->pawn_attacks[us] = bb_pawn_attacks(view->pawns[us], us);
    view->blockers[us] = position_king_blockers(pos, us);
    view->ring[us] = attacks_king(king) | bb_square(king);
    view->attacked[us] = view->twice[us] = view->by[us][PAWN] = view->by[us][KING] = 0;
    mark_attacks(view, us, KING, attacks_king(king));
    mark_attacks(view, us, PAWN, bb_pawn_west(view->pawns[us], us));
    mark_attacks(view, us, PAWN, bb_pawn_east(view->pawns[us], us));
}

// Pieces that reach no more than `few` squares are stuck; each weighs so many units in a siege.
INLINE void look_at_pieces(View *view, Color us, PieceType type, unsigned few, unsigned units) {
    Reach reach = {0};
    view->by[us][type] = 0;
    for (Bitboard left = position_pieces(view->pos, us, type); left != 0;) {
        const Square square = bb_pop(&left);
        Bitboard attacks = attacks_of(type, square, view->occupied);
        const bool bears = (attacks & view->ring[color_other(us)]) != 0;
        mark_attacks(view, us, type, attacks);
        if (bb_has(view->blockers[us], square))
            attacks &= squares_line(square, position_king(view->pos, us));
        const unsigned squares = bb_count(attacks & view->area[us]);
        reach.squares += squares;
        reach.stuck += squares <= few;
        view->siege[us].pieces += bears;
        view->siege[us].units += bears ? units : 0;
    }
    view->reach[us][type] = reach;
}

INLINE void look(View *view, const Position *pos, const PawnEntry *structure) {
    view->pos = pos;
    view->structure = structure;
    view->occupied = position_occupied(pos);
    look_at_king_and_pawns(view, WHITE);
    look_at_king_and_pawns(view, BLACK);
    for (Color us = WHITE; us < COLOR_NB; us++) {
        view->area[us] = ~(view->pawns[us] | position_pieces(pos, us, KING) |
                           view->pawn_attacks[color_other(us)]);
        view->siege[us] = (Siege){0};
        look_at_pieces(view, us, KNIGHT, 2, 1);
        look_at_pieces(view, us, BISHOP, 2, 1);
        look_at_pieces(view, us, ROOK, 3, 2);
        look_at_pieces(view, us, QUEEN, 3, 4);
    }
}
