// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/memo.h"

#include "base/mem.h"
#include "testing.h"

#include <stdlib.h>

enum { WIDTH = 3, MOST = 200, BATCHES = 50 };

static int64_t judge(const double *organism) {
    return (int64_t)(organism[0] + 100 * organism[1] + 10000 * organism[2]);
}

// Batches drawn from few organisms, so that many come again.
static void test_everybody_gets_his_own_score_and_nobody_is_judged_twice(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    Memo *memo = memo_create(WIDTH);
    double organisms[MOST * WIDTH];
    bool were_judged[100 * 100 * 6] = {false};
    for (int batch = 0; batch < BATCHES; batch++) {
        const size_t count = rng_below(&rng, MOST);
        for (size_t i = 0; i < count * WIDTH; i++)
            organisms[i] = rng_below(&rng, 6);
        const uint32_t *fresh;
        const size_t fresh_count = memo_sift(memo, organisms, count, &fresh);
        int64_t judged[MOST], scores[MOST];
        for (size_t i = 0; i < fresh_count; i++) {
            const double *organism = organisms + fresh[i] * WIDTH;
            judged[i] = judge(organism);
            assert_false(were_judged[judged[i]]);
            were_judged[judged[i]] = true;
        }
        memo_fill(memo, judged, scores);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(scores[i], judge(organisms + i * WIDTH));
    }
    memo_destroy(memo);
}

// Within memory that would not hold them all: what was judged lately is still known, and comes
// back with its own score.
static void test_the_oldest_are_forgotten(void **state) {
    (void)state;
    enum { WIDE = 40000, ROUNDS = 300, AGO = 20 };
    Memo *memo = memo_create(WIDE);
    double *organism = mem_alloc_zero(WIDE, sizeof *organism);
    const uint32_t *fresh;
    int64_t score;
    for (int round = 0; round < ROUNDS; round++) {
        organism[0] = round;
        assert_int_equal(memo_sift(memo, organism, 1, &fresh), 1);
        memo_fill(memo, &(int64_t){7 * round}, &score);
        assert_int_equal(score, 7 * round);
        organism[0] = round > AGO ? round - AGO : 0;
        assert_int_equal(memo_sift(memo, organism, 1, &fresh), 0);
        memo_fill(memo, NULL, &score);
        assert_int_equal(score, 7 * organism[0]);
    }
    organism[0] = 1;
    assert_int_equal(memo_sift(memo, organism, 1, &fresh), 1);
    memo_forget(memo);
    organism[0] = ROUNDS - 1;
    assert_int_equal(memo_sift(memo, organism, 1, &fresh), 1);
    free(organism);
    memo_destroy(memo);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everybody_gets_his_own_score_and_nobody_is_judged_twice),
        cmocka_unit_test(test_the_oldest_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
