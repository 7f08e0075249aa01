// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/chess960.h"

#include "chess/castling.h"

#include <assert.h>
#include <string.h>

// Puts a piece on the file that is the `index`-th of those still empty, from 0.
static void put_on_empty(PieceType array[8], unsigned index, PieceType type) {
    for (unsigned file = 0; file < 8; file++) {
        if (array[file] != PIECE_TYPE_NONE)
            continue;
        if (index-- == 0) {
            array[file] = type;
            return;
        }
    }
}

void chess960_array(unsigned number, PieceType out[8]) {
    // Where the second knight goes among the five files left; the first is before it.
    static const uint8_t knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                           {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    assert(number < CHESS960_ARRAYS);
    for (unsigned file = 0; file < 8; file++)
        out[file] = PIECE_TYPE_NONE;
    out[number % 4 * 2 + 1] = BISHOP;
    out[number / 4 % 4 * 2] = BISHOP;
    put_on_empty(out, number / 16 % 6, QUEEN);
    const uint8_t *pair = knights[number / 96];
    put_on_empty(out, pair[1], KNIGHT);
    put_on_empty(out, pair[0], KNIGHT);
    put_on_empty(out, 0, ROOK);
    put_on_empty(out, 0, KING);
    put_on_empty(out, 0, ROOK);
}

static void put(Position *pos, Color color, PieceType type, Square square) {
    pos->board[square] = piece_make(color, type);
    pos->types[type] |= bb_square(square);
    pos->colors[color] |= bb_square(square);
}

static void put_side(Position *pos, Color color, unsigned number) {
    PieceType array[8];
    chess960_array(number, array);
    for (unsigned file = 0; file < 8; file++) {
        put(pos, color, array[file], square_make(file, color == WHITE ? 0 : 7));
        put(pos, color, PAWN, square_make(file, color == WHITE ? 1 : 6));
    }
    for (Bitboard rooks = position_pieces(pos, color, ROOK); rooks != 0;)
        castling_add(pos, color, bb_pop(&rooks));
}

void chess960_set_start(Position *pos, unsigned white, unsigned black) {
    *pos = (Position){.ep = SQUARE_NONE, .fullmove = 1};
    memset(pos->board, PIECE_NONE, sizeof pos->board);
    put_side(pos, WHITE, white);
    put_side(pos, BLACK, black);
    position_refresh(pos);
    assert(position_is_ok(pos));
}
