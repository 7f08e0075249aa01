// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/zobrist.h"

// Where each kind of number starts in the published table.
enum { OFFSET_CASTLING = 768, OFFSET_EP = 772, OFFSET_TURN = 780, KEYS_NB = 781 };

static const uint64_t polyglot_keys[KEYS_NB] = {
#include "chess/polyglot_keys.def"
};

ZobristTables zobrist;

static void init_piece(Color color, PieceType type) {
    // The format orders pieces black pawn, white pawn, black knight and so on.
    size_t kind = 2 * (size_t)type + (color == WHITE ? 1 : 0);
    for (Square s = 0; s < SQUARE_NB; s++)
        zobrist.piece[piece_make(color, type)][s] = polyglot_keys[SQUARE_NB * kind + s];
}

void zobrist_init(void) {
    for (PieceType type = PAWN; type <= KING; type++) {
        init_piece(WHITE, type);
        init_piece(BLACK, type);
    }
    for (unsigned rights = 0; rights < CASTLING_NB; rights++) {
        zobrist.castling[rights] = 0;
        for (unsigned bit = 0; bit < 4; bit++)
            if (rights >> bit & 1)
                zobrist.castling[rights] ^= polyglot_keys[OFFSET_CASTLING + bit];
    }
    for (unsigned file = 0; file < 8; file++)
        zobrist.ep_file[file] = polyglot_keys[OFFSET_EP + file];
    zobrist.white_to_move = polyglot_keys[OFFSET_TURN];
}
