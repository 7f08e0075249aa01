// SPDX-License-Identifier: GPL-3.0-or-later
// One pass over a file of games on all threads: they take turns at cutting chunks of games off the
// file and work on them separately. Which thread gets which games is not determined.
#pragma once

#include "chess/pgn.h"
#include "dist/pool.h"

typedef struct GamesPass {
    DistPool *pool;
    void *workers;      // an array with an element for each thread, which is passed to:
    size_t worker_size; // of an element
    PgnWants *wants;    // whether a game's moves are wanted, as far as its tags tell
    // Takes a game. False: its moves were passed over, and must be read after all.
    bool (*take)(void *worker, const PgnGame *game);
    // Called at the end of each chunk, by one thread at a time; may be NULL.
    Status (*share)(void *worker);
} GamesPass;

typedef struct GamesPassTotals {
    uint64_t bytes;    // of text, uncompressed
    uint64_t too_long; // games passed over because they were longer than PGN_BUFFER_MAX
} GamesPassTotals;

// Reads a file, plain or compressed ("-": standard input). ERR_PARSE where there is no game in it.
MUST_CHECK Status games_pass(const GamesPass *pass, const char *path, GamesPassTotals *totals);
