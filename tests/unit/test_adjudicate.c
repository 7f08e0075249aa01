// SPDX-License-Identifier: GPL-3.0-or-later
// When games are ended early, and the openings they start from.
#include "match/adjudicate.h"

#include "chess/fen.h"
#include "match/openings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Feeds scores, White first, from move `first` on; returns the index of the move that ended it.
static int feed(const AdjudicationRules *rules, unsigned first, const int *scores, int count,
                Verdict *verdict) {
    Adjudicator judge = {.rules = rules};
    for (int i = 0; i < count; i++) {
        MoveOpinion opinion = {(Color)(i % 2), first + (unsigned)i / 2, scores[i] != 9999,
                               scores[i]};
        *verdict = adjudicate(&judge, &opinion);
        if (*verdict != VERDICT_NONE)
            return i;
    }
    return -1;
}

static void test_resigning(void **state) {
    (void)state;
    AdjudicationRules rules = {.resign_moves = 3, .resign_cp = 500};
    Verdict verdict;
    // Black is lost three times in a row; White's own opinion does not matter.
    static const int lost[] = {0, -500, 9999, -900, 10, -501, 0, 0};
    assert_int_equal(feed(&rules, 1, lost, 8, &verdict), 5);
    assert_int_equal(verdict, VERDICT_LOST);
    // A better score, or none, breaks the row.
    static const int broken[] = {0, -500, 0, -499, 0, -600, 0, -600, 0, 9999, 0, -700};
    assert_int_equal(feed(&rules, 1, broken, 12, &verdict), -1);
}

static void test_draws(void **state) {
    (void)state;
    AdjudicationRules rules = {.draw_from = 10, .draw_moves = 2, .draw_cp = 8};
    Verdict verdict;
    static const int even[] = {0, 8, -8, 3, 0, 0, 0, 0};
    assert_int_equal(feed(&rules, 10, even, 8, &verdict), 3);
    assert_int_equal(verdict, VERDICT_DRAW);
    assert_int_equal(feed(&rules, 7, even, 8, &verdict), 6);
    static const int disputed[] = {0, 90, 0, 90, 0, 90, 0, 90};
    assert_int_equal(feed(&rules, 10, disputed, 8, &verdict), -1);
}

static void test_length(void **state) {
    (void)state;
    AdjudicationRules rules = {.max_moves = 12};
    Verdict verdict;
    static const int scores[10] = {0};
    assert_int_equal(feed(&rules, 10, scores, 10, &verdict), 5);
    assert_int_equal(verdict, VERDICT_TOO_LONG);
    assert_int_equal(feed(&(AdjudicationRules){0}, 500, scores, 10, &verdict), -1);
}

static void test_openings_file(void **state) {
    (void)state;
    Openings *openings, *again;
    assert_int_equal(openings_load(&openings, "tests/data/openings.epd"), OK);
    assert_int_equal(openings_load(&again, "tests/data/openings.epd"), OK);
    size_t count = openings_count(openings), moved = 0;
    assert_true(count >= 60);
    openings_shuffle(openings, 0);
    uint64_t sum = 0, sum_again = 0;
    for (size_t i = 0; i < count; i++) {
        moved += openings_at(openings, i)->key != openings_at(again, i)->key;
        sum += openings_at(openings, i)->key;
        sum_again += openings_at(again, i)->key;
    }
    assert_true(moved > count / 2);
    assert_int_equal(sum, sum_again);
    openings_shuffle(again, 0);
    for (size_t i = 0; i < count + 5; i++)
        assert_int_equal(openings_at(openings, i)->key, openings_at(again, i)->key);
    openings_free(openings);
    openings_free(again);
}

static void check_refused(const char *text, const char *message) {
    char path[] = "/tmp/openingsXXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    Openings *openings = NULL;
    assert_int_equal(openings_load(&openings, path), ERR_PARSE);
    if (strstr(error_message(), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error_message());
    unlink(path);
}

static void test_bad_openings(void **state) {
    (void)state;
    check_refused("# nothing\n\n", "no positions");
    check_refused("\nrnbqkbnr/8/8/8 w - -\n", ":2: ");
    check_refused("# fool's mate\nrnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -\n",
                  ":2: the game is over");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resigning),    cmocka_unit_test(test_draws),
        cmocka_unit_test(test_length),       cmocka_unit_test(test_openings_file),
        cmocka_unit_test(test_bad_openings),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
