// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/memo.h"
#include "testing.h"

enum { WIDTH = 3, MOST = 200, BATCHES = 50 };

static int64_t judge(const double *organism) {
    return (int64_t)(organism[0] + 100 * organism[1] + 10000 * organism[2]);
}

// Batches drawn from few organisms, so that many come again.
static void test_everybody_gets_his_own_score_and_nobody_is_judged_twice(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    Memo *memo = memo_create(WIDTH);
    double organisms[MOST * WIDTH], last[MOST * WIDTH];
    size_t last_count = 0;
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
            for (size_t j = 0; j < last_count; j++)
                assert_memory_not_equal(organism, last + j * WIDTH, WIDTH * sizeof *organism);
            for (size_t j = 0; j < fresh[i]; j++)
                assert_memory_not_equal(organism, organisms + j * WIDTH, WIDTH * sizeof *organism);
        }
        memo_fill(memo, judged, scores);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(scores[i], judge(organisms + i * WIDTH));
        memcpy(last, organisms, sizeof last);
        last_count = count;
    }
    memo_destroy(memo);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everybody_gets_his_own_score_and_nobody_is_judged_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
