// SPDX-License-Identifier: GPL-3.0-or-later
// Prints distinct positions with at least one legal move, from random games: what bench/label asks.
#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "data/seen.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLIES_FIRST = 6, PLIES_MORE = 60 };

// A position some random moves away from the start; false when the game ended before.
static bool walk(Rng *rng, Position *pos) {
    Move moves[MOVES_MAX];
    const uint32_t plies = PLIES_FIRST + rng_below(rng, PLIES_MORE);
    position_set_start(pos);
    for (uint32_t i = 0; i <= plies; i++) {
        size_t count = movegen(pos, MOVES_ALL, moves);
        if (count == 0)
            return false;
        Undo undo;
        if (i < plies)
            position_make(pos, moves[rng_below(rng, (uint32_t)count)], &undo);
    }
    return true;
}

int main(int argc, char **argv) {
    const long wanted = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (wanted <= 0) {
        fprintf(stderr, "usage: label_positions COUNT\n");
        return 2;
    }
    chess_init();
    SeenTable *seen = seen_create();
    uint32_t first, game = 0;
    for (long found = 0; found < wanted; game++) {
        Rng rng = rng_at(0, game, 0, 0);
        Position pos;
        SeenAnswer answer;
        char board[FEN_SIZE];
        if (!walk(&rng, &pos))
            continue;
        if (seen_add(seen, pos.key, 0, game + 1, &answer, &first) != OK)
            return 1;
        if (answer != SEEN_NEVER)
            continue;
        fen_write_board(&pos, board);
        puts(board);
        found++;
    }
    seen_destroy(seen);
    return 0;
}
