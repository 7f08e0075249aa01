// SPDX-License-Identifier: GPL-3.0-or-later
// Results as text, in both formats.
#include "tests/unit/testing.h"

#include "match/play/standings.h"

#include <string.h>

static const char *const names[] = {"A", "B"};

// A pair of games, by A's half points in each.
static void add_pair(Tally *tally, int first, int second) {
    static const GameResult results[] = {RESULT_BLACK_WINS, RESULT_DRAW, RESULT_WHITE_WINS};
    MatchGame game = {.index = tally->played, .white = 0, .black = 1};
    tally_add(tally, &game, results[first], FAULT_NONE);
    game = (MatchGame){.index = tally->played, .white = 1, .black = 0, .is_second = true};
    tally_add(tally, &game, results[2 - second], FAULT_NONE);
}

static Tally make_tally(void) {
    Tally tally;
    tally_init(&tally, 2);
    for (int i = 0; i < 5; i++)
        add_pair(&tally, i % 2, 1 - i % 2);
    for (int i = 0; i < 4; i++)
        add_pair(&tally, 1, 1);
    add_pair(&tally, 2, 1);
    return tally;
}

// Figures that a test of another project quotes as fastchess's for these results.
static void test_block(void **state) {
    (void)state;
    Tally tally = make_tally();
    Str text = {0};
    standings_write_block(&tally, names, 0, 1, true, "10+0.1, 1t, 16MB", &text);
    assert_string_equal(text.text,
                        "Results of A vs B (10+0.1, 1t, 16MB):\n"
                        "Elo: -70.44 +/- 75.72, nElo: -148.15 +/- 152.27\n"
                        "LOS: 2.83 %, DrawRatio: 40.00 %, PairsRatio: 0.20\n"
                        "Games: 20, Wins: 1, Losses: 5, Draws: 14, Points: 8.0 (40.00 %)\n"
                        "Ptnml(0-2): [0, 5, 4, 1, 0], WL/DD Ratio: 0.00\n");
    str_free(&text);
    tally_deinit(&tally);
}

static void test_even_pairs_are_told_apart(void **state) {
    (void)state;
    Tally tally = make_tally();
    Str text = {0};
    add_pair(&tally, 2, 0);
    add_pair(&tally, 0, 2);
    standings_write_block(&tally, names, 1, 0, true, "", &text);
    assert_non_null(strstr(text.text, "Ptnml(0-2): [0, 1, 6, 5, 0], WL/DD Ratio: 0.50\n"));
    str_free(&text);
    tally_deinit(&tally);
}

static void test_without_pairs(void **state) {
    (void)state;
    Tally tally = make_tally();
    Str block = {0}, score = {0};
    standings_write_block(&tally, names, 0, 1, false, "", &block);
    standings_write_score(&tally, names, 0, 1, false, &score);
    assert_null(strstr(block.text, "Pairs"));
    assert_null(strstr(block.text, "Ptnml"));
    assert_non_null(strstr(block.text, "DrawRatio: 70.00 %\nGames: 20"));
    assert_null(strstr(score.text, "Ptnml"));
    assert_memory_equal(score.text,
                        "Score of A vs B: 1 - 5 - 14  [0.400] 20\nElo difference: ", 56);
    str_free(&block);
    str_free(&score);
    tally_deinit(&tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_even_pairs_are_told_apart),
        cmocka_unit_test(test_without_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
