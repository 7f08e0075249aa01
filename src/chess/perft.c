// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.h"

#include "chess/movegen.h"

uint64_t perft(Position *pos, unsigned depth) {
    if (depth <= 1)
        return depth == 0 ? 1 : movegen_count(pos);
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    uint64_t nodes = 0;
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        nodes += perft(pos, depth - 1);
        position_unmake(pos, moves[i], &undo);
    }
    return nodes;
}
