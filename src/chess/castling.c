// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/castling.h"

// Four bits for each right that is not that of chess: 8 and the rook's file.
enum { FILE_SAID = 8 };

static bool is_attacked(const Position *pos, Bitboard squares, Color by) {
    while (squares != 0)
        if (position_attackers(pos, bb_pop(&squares), by, position_occupied(pos)) != 0)
            return true;
    return false;
}

bool castling_is_possible(const Position *pos, Color color, bool king_side) {
    if ((pos->castling >> castling_right(color, king_side) & 1) == 0)
        return false;
    const CastlingSquares at = castling_squares(pos, color, king_side);
    const Bitboard king_path = squares_between(at.king_from, at.king_to) | bb_square(at.king_to);
    const Bitboard rook_path = squares_between(at.rook_from, at.rook_to) | bb_square(at.rook_to);
    const Bitboard both = bb_square(at.king_from) | bb_square(at.rook_from);
    const Bitboard others = position_occupied(pos) & ~both;
    const Color them = color_other(color);
    if (((king_path | rook_path) & others) != 0 ||
        is_attacked(pos, king_path | bb_square(at.king_from), them))
        return false;
    // In Chess960 the rook may have stood between its king and an attacker.
    const Bitboard after = others | bb_square(at.king_to) | bb_square(at.rook_to);
    return position_attackers(pos, at.king_to, them, after) == 0;
}

uint8_t castling_kept(const Position *pos, Piece moved, Square from, Square to) {
    unsigned kept = pos->castling;
    for (unsigned right = 0; right < CASTLING_RIGHTS; right++) {
        const Piece king = piece_make(right < 2 ? WHITE : BLACK, KING);
        const Square rook = castling_rook(pos, right);
        if (moved == king || rook == from || rook == to)
            kept &= ~(1u << right);
    }
    return (uint8_t)kept;
}

void castling_keep(Position *pos, uint8_t rights) {
    for (unsigned right = 0; right < CASTLING_RIGHTS; right++)
        if ((rights >> right & 1) == 0)
            pos->castling_files &= (uint16_t) ~(15u << 4 * right);
    pos->castling &= rights;
}

bool castling_add(Position *pos, Color color, Square rook) {
    const Square king = position_king(pos, color);
    const bool king_side = rook > king;
    const unsigned right = castling_right(color, king_side), bit = 1u << right;
    if (square_relative_rank(king, color) != 0 || square_relative_rank(rook, color) != 0 ||
        rook == king)
        return false;
    if ((pos->castling & bit) != 0)
        return castling_rook(pos, right) == rook;
    const unsigned home = king_side ? 7 : 0;
    if (square_file(king) != 4 || square_file(rook) != home)
        pos->castling_files |= (uint16_t)((FILE_SAID | square_file(rook)) << 4 * right);
    pos->castling |= (uint8_t)bit;
    return true;
}

bool castling_is_ok(const Position *pos) {
    Position again = {.castling = 0};
    for (int c = WHITE; c <= BLACK; c++) {
        again.types[KING] |= position_pieces(pos, (Color)c, KING);
        again.colors[c] = pos->colors[c];
    }
    for (unsigned right = 0; right < CASTLING_RIGHTS; right++) {
        if ((pos->castling >> right & 1) == 0)
            continue;
        const Color color = right < 2 ? WHITE : BLACK;
        const Square rook = castling_rook(pos, right);
        if (pos->board[rook] != piece_make(color, ROOK) || !castling_add(&again, color, rook))
            return false;
    }
    return again.castling == pos->castling && again.castling_files == pos->castling_files;
}
