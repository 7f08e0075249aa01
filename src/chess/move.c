// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/move.h"

#include <string.h>

void move_to_uci(Move move, char out[UCI_MOVE_SIZE]) {
    if (move == MOVE_NONE) {
        memcpy(out, "0000", 5);
        return;
    }
    Square from = move_from(move), to = move_to(move);
    out[0] = (char)('a' + square_file(from));
    out[1] = (char)('1' + square_rank(from));
    out[2] = (char)('a' + square_file(to));
    out[3] = (char)('1' + square_rank(to));
    out[4] = move_kind(move) == MOVE_PROMOTION ? "pnbrqk"[move_promotion(move)] : '\0';
    out[5] = '\0';
}
