// SPDX-License-Identifier: GPL-3.0-or-later
// What the search learns of static scores.
#include "search/history.h"

#include "base/mem.h"
#include "chess/fen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
};

static Correction correction_of(History *history, const Features *features, size_t fen,
                                uint64_t moves) {
    Position pos;
    assert_int_equal(fen_parse(fens[fen], &pos), OK);
    return history_correction(history, features, &pos, moves);
}

static int sum_of(History *history, const Features *features, size_t fen, uint64_t moves) {
    Correction correction = correction_of(history, features, fen, moves);
    return correction_sum(&correction);
}

static Features with_all_corrections(void) {
    Features features = features_of(PROFILE_MODERN);
    features.on[FEATURE_CORRECTION_PIECES] = features.on[FEATURE_CORRECTION_MOVES] = true;
    return features;
}

// What a position was off by is added in the end, and each part knows it for positions that share
// what it looks at.
static void test_corrections(void **state) {
    (void)state;
    History *history = mem_alloc_zero(1, sizeof *history);
    Features all = with_all_corrections(), pawns = all;
    pawns.on[FEATURE_CORRECTION_PIECES] = pawns.on[FEATURE_CORRECTION_MOVES] = false;
    assert_int_equal(sum_of(history, &all, 0, 7), 0);
    for (int i = 0; i < 500; i++) {
        Correction correction = correction_of(history, &all, 0, 7);
        correction_learn(&correction, &all.numbers, 8, 60 - correction_sum(&correction));
    }
    int learned = sum_of(history, &all, 0, 7);
    assert_in_range(learned, 50, 60);
    // The same pawns alone; one side's pieces and the moves, too; no pawns in common, and others.
    int by_pawns = sum_of(history, &pawns, 1, 7), without_a_side = sum_of(history, &all, 1, 7);
    assert_in_range(by_pawns, 5, 59);
    assert_in_range(without_a_side, by_pawns + 5, learned - 5);
    assert_in_range(sum_of(history, &all, 2, 7), 5, learned - 5);
    assert_in_range(sum_of(history, &all, 0, 8), 5, learned - 5);
    assert_int_equal(sum_of(history, &pawns, 2, 7), 0);
    history_clear(history);
    assert_int_equal(sum_of(history, &all, 0, 7), 0);
    free(history);
}

// However wrong the static score, a part corrects no more than it may.
static void test_corrections_are_limited(void **state) {
    (void)state;
    History *history = mem_alloc_zero(1, sizeof *history);
    Features all = with_all_corrections();
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < 1000; i++) {
            Correction correction = correction_of(history, &all, 0, 7);
            correction_learn(&correction, &all.numbers, 20, sign * 20000);
        }
        assert_int_equal(sum_of(history, &all, 0, 7),
                         sign * CORRECTION_NB * all.numbers.correction_most);
    }
    free(history);
}

int main(void) {
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_corrections_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
