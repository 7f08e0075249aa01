// SPDX-License-Identifier: GPL-3.0-or-later
// Random play for property tests: calls back at every position of games that start from positions
// with something to get wrong.
#pragma once

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const walk_starts[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    "k7/pqqq4/8/8/8/8/4QQQP/7K w - - 0 1",
};
enum { WALK_STARTS = sizeof walk_starts / sizeof walk_starts[0] };

// Plays `plies` random legal moves, starting anew where a game ends; visits each position.
static inline void walk(uint64_t seed, size_t plies, void (*visit)(Position *pos, Rng *rng)) {
    chess_init();
    Rng rng = rng_at(seed, 0, 0, 0);
    Position pos;
    size_t length = 0;
    for (size_t ply = 0; ply < plies; ply++) {
        if (length == 0)
            assert_int_equal(fen_parse(walk_starts[rng_below(&rng, WALK_STARTS)], &pos), OK);
        visit(&pos, &rng);
        Move moves[MOVES_MAX];
        size_t count = movegen(&pos, MOVES_ALL, moves);
        length = count == 0 || length > 200 || pos.halfmove >= 100 ? 0 : length + 1;
        if (length > 0) {
            Undo undo;
            position_make(&pos, moves[rng_below(&rng, (uint32_t)count)], &undo);
        }
    }
}
