// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/move.h"

#include "chess/castling.h"

#include <string.h>

static void write_move(Move move, Square to, char *out) {
    Square from = move_from(move);
    if (move == MOVE_NONE) {
        memcpy(out, "0000", 5);
        return;
    }
    out[0] = (char)('a' + square_file(from));
    out[1] = (char)('1' + square_rank(from));
    out[2] = (char)('a' + square_file(to));
    out[3] = (char)('1' + square_rank(to));
    out[4] = move_kind(move) == MOVE_PROMOTION ? "pnbrqk"[move_promotion(move)] : '\0';
    out[5] = '\0';
}

void move_to_uci_960(const Position *pos, Move move, char out[UCI_MOVE_SIZE]) {
    Square to = move_to(move);
    if (move_kind(move) == MOVE_CASTLING)
        to = castling_squares(pos, position_turn(pos), castling_is_king_side(move)).rook_from;
    write_move(move, to, out);
}

void move_to_uci(const Position *pos, Move move, char out[UCI_MOVE_SIZE]) {
    if (position_is_chess960(pos))
        move_to_uci_960(pos, move, out);
    else
        write_move(move, move_to(move), out);
}
