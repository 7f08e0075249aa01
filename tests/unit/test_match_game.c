// SPDX-License-Identifier: GPL-3.0-or-later
// A game of a match as a page replays it: every move, with the score of its own comment.
#include "serve/match_game.h"

#include "testing.h"

static void check(const char *pgn, const char *wanted) {
    Str out = {0};
    assert_int_equal(match_game_write(view_from_string(pgn), &out), OK);
    if (strstr(str_text(&out), wanted) == NULL)
        fail_msg("%s\nhas no\n%s", str_text(&out), wanted);
    str_free(&out);
}

static void test_scores_are_whites(void **state) {
    (void)state;
    const char *pgn = "[White \"a \\\"b\\\" <i>\"]\n[Black \"c\"]\n[Result \"1-0\"]\n\n"
                      "1. e4 {+0.31/12 0.500s} 1... e5 {-0.25/9 0.1s} 2. Qh5 {book} Ke7\n"
                      "{-M1/3 0.000s} 3. Qxe5# {+M1/7 0.020s, White mates} 1-0\n";
    check(pgn, "{\"white\":\"a \\\"b\\\" <i>\",\"black\":\"c\"");
    check(pgn, "\"san\":\"e4\",\"uci\":\"e2e4\"");
    check(pgn, "\"cp\":31,\"depth\":12,\"seconds\":0.5}");
    check(pgn, "\"cp\":25,\"depth\":9,\"seconds\":0.1}"); // Black's minus is White's plus
    check(pgn, "\"san\":\"Qh5\",\"uci\":\"d1h5\",\"fen\":\"rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/"
               "RNB1KBNR b KQkq - 1 2\",\"check\":false}");
    check(pgn, "\"check\":false,\"mate\":1,\"depth\":3,\"seconds\":0}");
    check(pgn, "\"check\":true,\"mate\":1,\"depth\":7,\"seconds\":0.02}]}");
}

static void test_odd_text(void **state) {
    (void)state;
    check("1. e4 {unclosed", "\"played\":[");
    check("[White \"a\"]\n\n1. e4 {+inf/3} e5 {nan/3} 2. Nf3 {1e999/1} *", "\"san\":\"Nf3\"");
    check("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 {+1.00/1 0s} 1/2-1/2",
          "\"cp\":-100");
}

static void test_what_is_no_game(void **state) {
    (void)state;
    Str out = {0};
    assert_int_equal(match_game_write(view_of("", 0), &out), ERR_PARSE);
    assert_int_equal(match_game_write(view_from_string("[FEN \"nonsense\"]\n\n1. e4 *"), &out),
                     ERR_PARSE);
    str_free(&out);
}

// Any prefix of a game, and any byte of it changed, is read or refused.
static void test_damage(void **state) {
    (void)state;
    static const char pgn[] =
        "[White \"a\"]\n\n1. e4 {+0.31/12 0.5s} e5 {-M1/3 0s} 2. Ke2 {book} *\n";
    for (size_t i = 0; i < sizeof pgn; i++) {
        Str out = {0};
        char copy[sizeof pgn];
        const Status cut = match_game_write(view_of(pgn, i), &out);
        assert_true(cut == OK || cut == ERR_PARSE);
        memcpy(copy, pgn, sizeof pgn);
        copy[i] ^= 0x15;
        const Status changed = match_game_write(view_of(copy, sizeof copy - 1), &out);
        assert_true(changed == OK || changed == ERR_PARSE);
        str_free(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores_are_whites),
        cmocka_unit_test(test_odd_text),
        cmocka_unit_test(test_what_is_no_game),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
