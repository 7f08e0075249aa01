// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a single move, from a hash table, a book or a line of text, is legal: without generating
// all of them.
#include "chess/castling.h"
#include "chess/movegen.h"

static bool castling_is_legal(const Position *pos, Square from, Square to) {
    Color us = position_turn(pos);
    Square home = us == WHITE ? A1 : A8;
    bool king_side = to == home + 6;
    return from == position_king(pos, us) && (king_side || to == home + 2) &&
           castling_is_possible(pos, us, king_side);
}

static bool pawn_can_reach(const Position *pos, Square from, Square to, MoveKind kind) {
    Color us = position_turn(pos);
    bool promotes = square_relative_rank(to, us) == 7;
    if (promotes != (kind == MOVE_PROMOTION))
        return false;
    if (kind == MOVE_EN_PASSANT)
        return to == pos->ep && bb_has(attacks_pawn(from, us), to);
    if (pos->board[to] != PIECE_NONE)
        return bb_has(attacks_pawn(from, us), to);
    Bitboard empty = ~position_occupied(pos);
    Bitboard single = bb_forward(bb_square(from), us) & empty;
    Bitboard pair = square_relative_rank(from, us) == 1 ? bb_forward(single, us) & empty : 0;
    return bb_has(single | pair, to);
}

static bool can_reach(const Position *pos, Square from, Square to, MoveKind kind) {
    PieceType type = piece_type(pos->board[from]);
    if (type == PAWN)
        return pawn_can_reach(pos, from, to, kind);
    return kind == MOVE_NORMAL && bb_has(attacks_of(type, from, position_occupied(pos)), to);
}

// True when our king is not attacked once the piece has moved.
static bool leaves_king_safe(const Position *pos, Square from, Square to, MoveKind kind) {
    Color us = position_turn(pos), them = color_other(us);
    Bitboard gone = bb_square(from) | bb_square(to);
    if (kind == MOVE_EN_PASSANT)
        gone |= bb_square(to ^ 8);
    Bitboard occupied = (position_occupied(pos) & ~gone) | bb_square(to);
    Square king = piece_type(pos->board[from]) == KING ? to : position_king(pos, us);
    return (position_attackers(pos, king, them, occupied) & ~gone) == 0;
}

bool move_is_legal(const Position *pos, Move move) {
    Square from = move_from(move), to = move_to(move);
    MoveKind kind = move_kind(move);
    Bitboard own = pos->colors[pos->turn];
    bool spare_bits = kind != MOVE_PROMOTION && move >> 14 != 0;
    if (!bb_has(own, from) || spare_bits)
        return false;
    if (kind == MOVE_CASTLING)
        return castling_is_legal(pos, from, to);
    return !bb_has(own, to) && can_reach(pos, from, to, kind) &&
           leaves_king_safe(pos, from, to, kind);
}

static bool read_square(const char *text, Square *out) {
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return false;
    *out = square_make((unsigned)(text[0] - 'a'), (unsigned)(text[1] - '1'));
    return true;
}

static Move promotion_from_letter(Square from, Square to, char letter) {
    switch (letter) {
    case 'n':
        return move_make_promotion(from, to, KNIGHT);
    case 'b':
        return move_make_promotion(from, to, BISHOP);
    case 'r':
        return move_make_promotion(from, to, ROOK);
    case 'q':
        return move_make_promotion(from, to, QUEEN);
    default:
        return MOVE_NONE;
    }
}

// King takes rook; MOVE_NONE where it has no right to castle with that one.
static Move castling_with(const Position *pos, Square rook) {
    const Color us = position_turn(pos);
    const bool king_side = rook > position_king(pos, us);
    const CastlingSquares at = castling_squares(pos, us, king_side);
    return at.rook_from == rook ? move_make_kind(at.king_from, at.king_to, MOVE_CASTLING)
                                : MOVE_NONE;
}

// The kind follows from the pieces on the board.
static Move complete(const Position *pos, Square from, Square to) {
    PieceType type = piece_type(pos->board[from]);
    int distance = (int)square_file(to) - (int)square_file(from);
    if (type == KING && pos->board[to] == piece_make(position_turn(pos), ROOK))
        return castling_with(pos, to);
    if (type == KING && (distance < -1 || distance > 1))
        return move_make_kind(from, to, MOVE_CASTLING);
    if (type == PAWN && distance != 0 && pos->board[to] == PIECE_NONE)
        return move_make_kind(from, to, MOVE_EN_PASSANT);
    return move_make(from, to);
}

Move move_from_uci(const Position *pos, const char *text, size_t length) {
    Square from, to;
    if ((length != 4 && length != 5) || !read_square(text, &from) || !read_square(text + 2, &to))
        return MOVE_NONE;
    Move move =
        length == 5 ? promotion_from_letter(from, to, text[4] | 32) : complete(pos, from, to);
    return move != MOVE_NONE && move_is_legal(pos, move) ? move : MOVE_NONE;
}

bool move_list_is_valid(const MoveList *list, const Position *pos) {
    size_t legal = 0;
    while (list->count <= MOVES_MAX && legal < list->count &&
           move_is_legal(pos, list->moves[legal]))
        legal++;
    return legal == list->count;
}
