// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/elo.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// GPEM 2010, section 4.2: 544.5 of 1,000 points are +31, +-17 at two deviations and +-26 at three.
// The draws are not published; with 371 to 405 of them the interval of the mean is that wide.
static void test_the_papers_own_interval(void **state) {
    (void)state;
    for (uint64_t draws = 371; draws <= 405; draws += 2) {
        GameCounts counts = {.draws = draws, .wins = (1089 - draws) / 2};
        counts.losses = 1000 - draws - counts.wins;
        EloOfPapers two = elo_of_papers(&counts, 2), three = elo_of_papers(&counts, 3);
        assert_true(two.mean == 0.5445);
        assert_int_equal(lround(two.difference), 31);
        assert_int_equal(lround((two.high - two.low) / 2), 17);
        assert_int_equal(lround((three.high - three.low) / 2), 26);
        // The formula as printed gives an interval without bounds.
        assert_true(isinf(two.printed_high) && isinf(two.printed_low));
    }
}

// GECCO 2008, Table 1, and GPEM 2010, Tables 1 and 2: (B.2) of the results there, as printed there.
static void test_the_papers_differences(void **state) {
    (void)state;
    assert_int_equal(lround(elo_of_score(199.0 / 300)), 118);
    assert_int_equal(lround(elo_of_score(151.5 / 300)), 3);
    assert_int_equal(lround(elo_of_score(202.5 / 300)), 127);
    assert_int_equal(lround(elo_of_score(173.5 / 300)), 55);
    assert_int_equal(lround(elo_of_score(177.0 / 300)), 63);
}

static void test_total(void **state) {
    (void)state;
    for (uint64_t w = 0; w < 4; w++)
        for (uint64_t l = 0; l < 4; l++)
            for (uint64_t d = 0; d < 4; d++) {
                EloOfPapers b = elo_of_papers(&(GameCounts){w, l, d}, 2);
                EloOfPapers other = elo_of_papers(&(GameCounts){l, w, d}, 2);
                assert_true(b.low <= b.difference && b.difference <= b.high);
                assert_true(b.printed_low <= b.low && b.high <= b.printed_high);
                assert_true(b.low == -other.high || fabs(b.low + other.high) < 1e-9);
            }
}

// The interval of the mean is the one that elo_from_games gives, but for N - 1 and 1.96.
static void test_agrees_with_elo(void **state) {
    (void)state;
    GameCounts counts = {.wins = 400, .losses = 300, .draws = 300};
    EloEstimate e = elo_from_games(&counts);
    EloOfPapers b = elo_of_papers(&counts, ELO_Z_95);
    assert_true(fabs(b.low - e.low) < 0.02 && fabs(b.high - e.high) < 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_papers_own_interval),
        cmocka_unit_test(test_the_papers_differences),
        cmocka_unit_test(test_total),
        cmocka_unit_test(test_agrees_with_elo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
