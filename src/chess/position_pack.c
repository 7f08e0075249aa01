// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position_pack.h"

#include <string.h>

PackedPosition position_pack(const Position *pos) {
    PackedPosition packed = {
        .occupied = position_occupied(pos),
        .halfmove = pos->halfmove,
        .fullmove = pos->fullmove,
        .castling_files = pos->castling_files,
        .turn_and_castling = (uint8_t)(pos->turn << 4 | pos->castling),
        .ep = pos->ep,
    };
    unsigned i = 0;
    for (Bitboard left = packed.occupied; left != 0; left &= left - 1, i++)
        packed.pieces[i / 2] |= (uint8_t)(pos->board[bb_first(left)] << 4 * (i % 2));
    return packed;
}

void position_unpack(const PackedPosition *packed, Position *out) {
    memset(out, 0, sizeof *out);
    memset(out->board, PIECE_NONE, sizeof out->board);
    out->halfmove = packed->halfmove;
    out->fullmove = packed->fullmove;
    out->turn = packed->turn_and_castling >> 4;
    out->castling = packed->turn_and_castling & 15;
    out->castling_files = packed->castling_files;
    out->ep = packed->ep;
    unsigned i = 0;
    for (Bitboard left = packed->occupied; left != 0; left &= left - 1, i++) {
        Square square = bb_first(left);
        Piece piece = packed->pieces[i / 2] >> 4 * (i % 2) & 15;
        out->board[square] = piece;
        out->types[piece_type(piece)] |= 1ULL << square;
        out->colors[piece_color(piece)] |= 1ULL << square;
    }
    position_refresh(out);
}
