// SPDX-License-Identifier: GPL-3.0-or-later
// What several unit tests share: a scratch directory, files of ../shared, and random games.
#pragma once

#include "base/file.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include "walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TESTING_PATH = 512 };

static char testing_directory[] = "/tmp/falconer-test-XXXXXX";

// For cmocka's group: makes and removes the scratch directory.
static inline int testing_set_up(void **state) {
    (void)state;
    chess_init();
    return mkdtemp(testing_directory) == NULL;
}
static inline int testing_tear_down(void **state) {
    (void)state;
    char command[TESTING_PATH];
    snprintf(command, sizeof command, "rm -rf '%s'", testing_directory);
    return system(command);
}

static inline void testing_path(char out[TESTING_PATH], const char *name) {
    snprintf(out, TESTING_PATH, "%s/%s", testing_directory, name);
}

// Writes a scratch file and leaves its path in `out`.
static inline void testing_write(char out[TESTING_PATH], const char *name, const char *text,
                                 size_t length) {
    testing_path(out, name);
    assert_int_equal(file_write(out, text, length), OK);
}

// The path of a file that comes with the project's shared data; skips the test where it is absent.
static inline void testing_shared(char out[TESTING_PATH], const char *name) {
    const char *root = getenv("FALCONER_SHARED");
    snprintf(out, TESTING_PATH, "%s/%s", root == NULL ? "../shared" : root, name);
    if (access(out, R_OK) != 0) {
        print_message("SKIPPED: %s is not there\n", out);
        skip();
    }
}

// Plays up to `plies` random legal moves from one of the starts.
static inline void testing_random_game(PgnGame *game, Rng *rng, size_t plies) {
    Position start;
    assert_int_equal(fen_parse(walk_starts[rng_below(rng, WALK_STARTS)], &start), OK);
    pgn_game_reset(game);
    pgn_set_start(game, &start);
    Move moves[MOVES_MAX];
    for (size_t i = 0; i < plies; i++) {
        size_t count = movegen(&game->final, MOVES_ALL, moves);
        if (count == 0)
            break;
        assert_true(pgn_add_move(game, moves[rng_below(rng, (uint32_t)count)]));
    }
}
