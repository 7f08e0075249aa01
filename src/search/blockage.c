// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/blockage.h"

// Every square a king of `color` can ever reach while no pawn moves. The other king is ignored: it
// can only take squares away.
static Bitboard king_region(const Position *pos, Color color) {
    Color them = color_other(color);
    Bitboard enemy_pawns = position_pieces(pos, them, PAWN);
    Bitboard allowed = ~position_pieces(pos, color, PAWN) & ~bb_pawn_attacks(enemy_pawns, them);
    Bitboard region = position_pieces(pos, color, KING), frontier = region;
    while (frontier != 0) {
        Bitboard reached = attacks_king(bb_pop(&frontier)) & allowed & ~region;
        region |= reached;
        frontier |= reached;
    }
    return region;
}

bool blockage_is_draw(const Position *pos) {
    Bitboard pawns = pos->types[PAWN];
    if (pawns == 0 || (pawns | pos->types[KING]) != position_occupied(pos) ||
        pos->ep != SQUARE_NONE || position_checkers(pos) != 0) // a pawn's last step may be mate
        return false;
    for (Color color = WHITE; color <= BLACK; color++) {
        Bitboard ours = position_pieces(pos, color, PAWN);
        Bitboard theirs = position_pieces(pos, color_other(color), PAWN);
        bool can_step = (bb_forward(ours, color) & ~pawns) != 0;
        bool can_take = (bb_pawn_attacks(ours, color) & theirs) != 0;
        if (can_step || can_take)
            return false;
    }
    // Guarded pawns are outside the region already, so a pawn inside it can be won.
    return (king_region(pos, WHITE) & position_pieces(pos, BLACK, PAWN)) == 0 &&
           (king_region(pos, BLACK) & position_pieces(pos, WHITE, PAWN)) == 0;
}
