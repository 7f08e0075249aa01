// SPDX-License-Identifier: GPL-3.0-or-later
// Castling in chess and in Chess960, where king and rooks begin on other files. A move of castling
// goes from the king's square to the one where it lands, on the file c or g: it may stand there
// already, and so may the rook.
#pragma once

#include "chess/position.h"

// Rights are counted from 0 in the order of CastlingRight.
enum { CASTLING_RIGHTS = 4 };

static inline unsigned castling_right(Color color, bool king_side) {
    return 2 * (unsigned)color + (king_side ? 0 : 1);
}
static inline bool castling_is_king_side(Move castling) {
    return square_file(move_to(castling)) == 6;
}

// From where the rook of a right castles; meaningless without the right.
static inline Square castling_rook(const Position *pos, unsigned right) {
    const unsigned found = pos->castling_files >> 4 * right & 15u;
    const unsigned file = found != 0 ? found & 7u : right % 2 == 0 ? 7u : 0u;
    return square_make(file, right < 2 ? 0 : 7);
}

// Where king and rook go.
typedef struct CastlingSquares {
    Square king_from, king_to, rook_from, rook_to;
} CastlingSquares;

static inline CastlingSquares castling_squares(const Position *pos, Color color, bool king_side) {
    const unsigned rank = color == WHITE ? 0 : 7;
    return (CastlingSquares){position_king(pos, color), square_make(king_side ? 6 : 2, rank),
                             castling_rook(pos, castling_right(color, king_side)),
                             square_make(king_side ? 5 : 3, rank)};
}

// True when `color` has the right to castle and nothing is in its way: no piece and no attack.
bool castling_is_possible(const Position *pos, Color color, bool king_side);
// The rights that are left when `moved` goes from one square to the other.
uint8_t castling_kept(const Position *pos, Piece moved, Square from, Square to);
// Drops all rights but these.
void castling_keep(Position *pos, uint8_t rights);
// Gives the right to castle with a rook, which need not be there; false unless both can be: the
// king on its back rank, the rook beside it, and no right of that side given yet to another rook.
bool castling_add(Position *pos, Color color, Square rook);
// True when every right has its king and rook.
bool castling_is_ok(const Position *pos);
