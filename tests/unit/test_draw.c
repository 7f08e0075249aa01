// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/draw.h"
#include "walk.h"

#include <stdio.h>

static GameEnd end_of(const char *fen) {
    Position pos;
    assert_int_equal(fen_parse(fen, &pos), OK);
    return game_end(&pos, &pos.key, 1);
}

static void test_ends(void **state) {
    (void)state;
    chess_init();
    assert_int_equal(end_of(fen_start), GAME_GOES_ON);
    assert_int_equal(end_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
                     GAME_CHECKMATE);
    assert_int_equal(end_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), GAME_STALEMATE);
    assert_int_equal(end_of("7k/8/6K1/8/8/8/8/R7 w - - 100 80"), GAME_FIFTY_MOVES);
    assert_int_equal(end_of("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), GAME_GOES_ON);
    // Mate on the hundredth ply is mate.
    assert_int_equal(end_of("R6k/8/6K1/8/8/8/8/8 b - - 100 80"), GAME_CHECKMATE);
}

static void test_material(void **state) {
    (void)state;
    chess_init();
    const char *dead[] = {"4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4KN2", "4k3/8/8/8/8/8/8/4Kb2",
                          "4k1b1/8/8/8/8/8/8/4KB2", "b3k1b1/8/8/8/8/8/8/4KB2"};
    const char *alive[] = {"4k3/8/8/8/8/8/8/4KNN1", "4k1n1/8/8/8/8/8/8/4KN2",
                           "4kb2/8/8/8/8/8/8/4KB2", "4k3/8/8/8/8/8/P7/4K3",
                           "4k3/8/8/8/8/8/8/4KBN1", "4k3/8/8/8/8/8/8/4KR2"};
    for (size_t i = 0; i < sizeof dead / sizeof dead[0]; i++) {
        char fen[FEN_SIZE];
        snprintf(fen, sizeof fen, "%s w - - 0 1", dead[i]);
        assert_int_equal(end_of(fen), GAME_MATERIAL);
    }
    for (size_t i = 0; i < sizeof alive / sizeof alive[0]; i++) {
        char fen[FEN_SIZE];
        snprintf(fen, sizeof fen, "%s w - - 0 1", alive[i]);
        assert_int_equal(end_of(fen), GAME_GOES_ON);
    }
}

static void test_repetition(void **state) {
    (void)state;
    chess_init();
    const char *shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    Position pos;
    position_set_start(&pos);
    uint64_t keys[32] = {pos.key};
    size_t count = 1;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(game_end(&pos, keys, count), GAME_GOES_ON);
        Undo undo;
        position_make(&pos, move_from_uci(&pos, shuffle[i % 4], 4), &undo);
        keys[count++] = pos.key;
    }
    assert_int_equal(draw_repetitions(keys, count, pos.halfmove), 2);
    assert_int_equal(game_end(&pos, keys, count), GAME_REPETITION);
    // An irreversible move forbids looking further back.
    assert_int_equal(draw_repetitions(keys, count, 4), 1);
    assert_int_equal(draw_repetitions(keys, 0, 4), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_material),
        cmocka_unit_test(test_repetition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
