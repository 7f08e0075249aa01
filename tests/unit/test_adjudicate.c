// SPDX-License-Identifier: GPL-3.0-or-later
// When games are ended early.
#include "match/play/adjudicate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Feeds scores, White first, from move `first` on; returns the index of the move that ended it.
static int feed(const AdjudicationRules *rules, unsigned first, const int *scores, int count,
                Adjudication *verdict) {
    Adjudicator judge = {.rules = rules};
    for (int i = 0; i < count; i++) {
        MoveOpinion opinion = {(Color)(i % 2), first + (unsigned)i / 2, scores[i] != 9999,
                               scores[i]};
        *verdict = adjudicate(&judge, &opinion);
        if (*verdict != ADJUDICATED_NONE)
            return i;
    }
    return -1;
}

static void test_resigning(void **state) {
    (void)state;
    AdjudicationRules rules = {.resign_moves = 3, .resign_cp = 500};
    Adjudication verdict;
    // Black is lost three times in a row; White's own opinion does not matter.
    static const int lost[] = {0, -500, 9999, -900, 10, -501, 0, 0};
    assert_int_equal(feed(&rules, 1, lost, 8, &verdict), 5);
    assert_int_equal(verdict, ADJUDICATED_LOST);
    // A better score, or none, breaks the row.
    static const int broken[] = {0, -500, 0, -499, 0, -600, 0, -600, 0, 9999, 0, -700};
    assert_int_equal(feed(&rules, 1, broken, 12, &verdict), -1);
}

static void test_draws(void **state) {
    (void)state;
    AdjudicationRules rules = {.draw_from = 10, .draw_moves = 2, .draw_cp = 8};
    Adjudication verdict;
    static const int even[] = {0, 8, -8, 3, 0, 0, 0, 0};
    assert_int_equal(feed(&rules, 10, even, 8, &verdict), 3);
    assert_int_equal(verdict, ADJUDICATED_DRAW);
    assert_int_equal(feed(&rules, 7, even, 8, &verdict), 6);
    static const int disputed[] = {0, 90, 0, 90, 0, 90, 0, 90};
    assert_int_equal(feed(&rules, 10, disputed, 8, &verdict), -1);
}

static void test_length(void **state) {
    (void)state;
    AdjudicationRules rules = {.max_moves = 12};
    Adjudication verdict;
    static const int scores[10] = {0};
    assert_int_equal(feed(&rules, 10, scores, 10, &verdict), 5);
    assert_int_equal(verdict, ADJUDICATED_TOO_LONG);
    assert_int_equal(feed(&(AdjudicationRules){0}, 500, scores, 10, &verdict), -1);
}

// With both needed, the winner must have thought so for as many moves.
static void test_resigning_takes_both(void **state) {
    (void)state;
    AdjudicationRules rules = {.resign_moves = 2, .resign_cp = 500, .resign_needs_both = true};
    Adjudication verdict;
    static const int agreed[] = {600, -600, 499, -600, 500, -700, 900, -500};
    assert_int_equal(feed(&rules, 1, agreed, 8, &verdict), 7);
    assert_int_equal(verdict, ADJUDICATED_LOST);
    static const int disputed[] = {0, -600, 499, -600, 500, -700, 9999, -500, 800, -400};
    assert_int_equal(feed(&rules, 1, disputed, 10, &verdict), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resigning),
        cmocka_unit_test(test_resigning_takes_both),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
