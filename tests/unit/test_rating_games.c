// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/rating_games.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { PLAYERS = 700 };

static StrView name_of(char out[16], uint32_t player) {
    snprintf(out, 16, "P%u", player);
    return view_from_string(out);
}

// Every game is in one line, every name one number.
static void test_gathers(void **state) {
    (void)state;
    RatingGames *games = rating_games_create();
    char white[16], black[16];
    for (int times = 0; times < 3; times++)
        for (uint32_t p = 0; p < PLAYERS; p++) {
            uint32_t q = (p * 7 + 1) % PLAYERS;
            if (p != q)
                rating_games_add(games, name_of(white, p), name_of(black, q),
                                 (GameResult)(RESULT_WHITE_WINS + times));
        }
    size_t count;
    const RatingResult *results = rating_games_results(games, &count);
    assert_int_equal(rating_games_players(games), PLAYERS);
    assert_true(count <= PLAYERS && count >= PLAYERS - 7);
    for (size_t i = 0; i < count; i++) {
        assert_true(results[i].wins == 1 && results[i].draws == 1 && results[i].losses == 1);
        assert_true(results[i].white != results[i].black);
    }
    for (uint32_t p = 0; p < PLAYERS; p++) {
        uint32_t number = rating_games_find(games, name_of(white, p));
        assert_string_equal(rating_games_name(games, number), white);
    }
    assert_true(rating_games_find(games, view_from_string("nobody")) == RATING_NOBODY);
    rating_games_free(games);
}

static void test_empty(void **state) {
    (void)state;
    size_t count;
    RatingGames *games = rating_games_create();
    rating_games_results(games, &count);
    assert_int_equal(count, 0);
    assert_int_equal(rating_games_players(games), 0);
    assert_true(rating_games_find(games, view_from_string("")) == RATING_NOBODY);
    rating_games_free(games);
    rating_games_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
