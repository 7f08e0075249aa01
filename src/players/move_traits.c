// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/move_traits.h"

#include "chess/see.h"

const char *const move_trait_names[TRAIT_NB] = {
    [TRAIT_CAPTURE] = "captures",
    [TRAIT_CHECK] = "checks",
    [TRAIT_CASTLING] = "castling",
    [TRAIT_PAWN] = "pawn moves",
    [TRAIT_KNIGHT] = "knight moves",
    [TRAIT_BISHOP] = "bishop moves",
    [TRAIT_ROOK] = "rook moves",
    [TRAIT_QUEEN] = "queen moves",
    [TRAIT_KING] = "king moves",
    [TRAIT_RETREAT] = "retreats",
    [TRAIT_TOWARDS_KING] = "moves towards the king",
    [TRAIT_QUEENS_OFF] = "queen exchanges",
    [TRAIT_OFFER] = "offers of material",
};

const char *const move_trait_deeds[TRAIT_NB] = {
    [TRAIT_CAPTURE] = "captures",
    [TRAIT_CHECK] = "gives check",
    [TRAIT_CASTLING] = "castles",
    [TRAIT_PAWN] = "moves pawns",
    [TRAIT_KNIGHT] = "moves knights",
    [TRAIT_BISHOP] = "moves bishops",
    [TRAIT_ROOK] = "moves rooks",
    [TRAIT_QUEEN] = "moves the queen",
    [TRAIT_KING] = "moves the king",
    [TRAIT_RETREAT] = "moves pieces back",
    [TRAIT_TOWARDS_KING] = "brings pieces nearer to the enemy king",
    [TRAIT_QUEENS_OFF] = "offers to exchange queens",
    [TRAIT_OFFER] = "offers material",
};

// The enemy's queen is taken by ours, or the two come to attack each other, ours guarded.
static bool is_for_queens_off(const Position *pos, Move move) {
    const Color us = position_turn(pos), them = color_other(us);
    const Square from = move_from(move), to = move_to(move);
    if (piece_type(pos->board[from]) != QUEEN)
        return false;
    if (move_victim(pos, move) == QUEEN)
        return true;
    const Bitboard occupied = (position_occupied(pos) & ~bb_square(from)) | bb_square(to);
    const Bitboard enemies = attacks_of(QUEEN, to, occupied) & position_pieces(pos, them, QUEEN);
    const Bitboard guards = position_attackers(pos, to, us, occupied) & ~bb_square(from);
    return enemies != 0 && guards != 0;
}

unsigned move_traits(const Position *pos, Move move) {
    const Color us = position_turn(pos);
    const Square from = move_from(move), to = move_to(move);
    const Square king = position_king(pos, color_other(us));
    const PieceType type = piece_type(pos->board[from]);
    const bool is_piece = type != PAWN && type != KING;
    const bool is_castling = move_kind(move) == MOVE_CASTLING;
    unsigned traits = is_castling ? 1u << TRAIT_CASTLING : 1u << (TRAIT_PAWN + type - PAWN);
    if (move_is_capture(pos, move))
        traits |= 1u << TRAIT_CAPTURE;
    if (position_gives_check(pos, move))
        traits |= 1u << TRAIT_CHECK;
    if (is_piece && square_relative_rank(to, us) < square_relative_rank(from, us))
        traits |= 1u << TRAIT_RETREAT;
    if (is_piece && square_distance(to, king) < square_distance(from, king))
        traits |= 1u << TRAIT_TOWARDS_KING;
    if (is_for_queens_off(pos, move))
        traits |= 1u << TRAIT_QUEENS_OFF;
    if (!is_castling && !see_at_least(pos, move, 1 - see_values[PAWN]))
        traits |= 1u << TRAIT_OFFER;
    return traits;
}
