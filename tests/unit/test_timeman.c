// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/timeman.h"

#include "base/rng.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

// What holds of every plan.
static TimePlan plan_with(ChessClock clock, const SearchNumbers *numbers) {
    TimePlan plan = time_plan(&clock, numbers);
    assert_true(plan.optimum_ms >= 1);
    assert_true(plan.maximum_ms >= plan.optimum_ms);
    assert_true(plan.maximum_ms <= most(clock.time_ms, 1));
    return plan;
}

static TimePlan plan_of(ChessClock clock) {
    const Features features = features_of(PROFILE_MODERN);
    return plan_with(clock, &features.numbers);
}

// Times from nothing to hours, short ones as often as long ones.
static int64_t random_ms(Rng *rng) {
    return (int64_t)(rng_u32(rng) >> rng_below(rng, 32)) % 10000000;
}

static ChessClock random_clock(Rng *rng) {
    ChessClock clock = {.time_ms = random_ms(rng)};
    if (rng_below(rng, 2) == 0)
        clock.inc_ms = random_ms(rng) / 100;
    if (rng_below(rng, 2) == 0)
        clock.moves = 1 + (int)rng_below(rng, 60);
    return clock;
}

static void assert_no_less(TimePlan plan, TimePlan than) {
    assert_true(plan.optimum_ms >= than.optimum_ms);
    assert_true(plan.maximum_ms >= than.maximum_ms);
}

static void test_more_is_not_less(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    for (int i = 0; i < 200000; i++) {
        ChessClock clock = random_clock(&rng), more;
        TimePlan plan = plan_of(clock);
        more = clock;
        more.time_ms += random_ms(&rng);
        assert_no_less(plan_of(more), plan);
        more = clock;
        more.inc_ms += random_ms(&rng);
        assert_no_less(plan_of(more), plan);
        more = clock;
        more.time_ms -= random_ms(&rng) / 1000;
        assert_no_less(plan, plan_of(more));
        more = clock;
        more.moves = 1 + (int)rng_below(&rng, 60);
        if (clock.moves == 0 || more.moves <= clock.moves)
            assert_no_less(plan_of(more), plan);
    }
}

static void test_last_move_uses_most(void **state) {
    (void)state;
    for (int64_t time_ms = 20; time_ms <= 1000000; time_ms = time_ms * 3 / 2) {
        TimePlan plan = plan_of((ChessClock){.time_ms = time_ms, .moves = 1});
        assert_true(plan.maximum_ms >= time_ms * 8 / 10);
        assert_true(plan.optimum_ms >= time_ms * 8 / 10);
        assert_true(plan.maximum_ms < time_ms); // but not the last millisecond
    }
}

static void test_hardly_any_time(void **state) {
    (void)state;
    static const int64_t times[] = {INT64_MIN / 2, -1000000, -1, 0, 1, 2};
    static const int moves[] = {INT_MIN, -5, 0, 1, 2, 40};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        for (size_t j = 0; j < sizeof moves / sizeof moves[0]; j++)
            for (int64_t inc_ms = 0; inc_ms <= 5000; inc_ms += 1000) {
                TimePlan plan = plan_of((ChessClock){times[i], inc_ms, moves[j]});
                assert_true(plan.maximum_ms <= 2);
            }
}

// Numbers that a GUI may send for "no limit".
static void test_endless_time(void **state) {
    (void)state;
    plan_of((ChessClock){.time_ms = INT_MAX, .inc_ms = INT_MAX});
    plan_of((ChessClock){.time_ms = INT64_MAX});
    plan_of((ChessClock){.time_ms = INT64_MAX, .moves = 1});
    plan_of((ChessClock){.time_ms = 1000, .inc_ms = INT64_MAX});
    plan_of((ChessClock){.time_ms = INT64_MAX, .inc_ms = INT64_MAX, .moves = INT_MAX});
    plan_of((ChessClock){.time_ms = 1000, .moves = INT_MAX});
}

// Moves that take all they are allowed never lose on time, and usual ones leave some.
static void test_whole_games(void **state) {
    (void)state;
    const ChessClock starts[] = {{.time_ms = 1000},
                                 {.time_ms = 60000},
                                 {.time_ms = 2000, .inc_ms = 20},
                                 {.time_ms = 100, .inc_ms = 100}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        ChessClock greedy = starts[i], usual = starts[i];
        for (int move = 0; move < 60; move++) {
            usual.time_ms += usual.inc_ms - plan_of(usual).optimum_ms;
            assert_true(usual.time_ms - usual.inc_ms > starts[i].time_ms / 50);
            int64_t spent = plan_of(greedy).maximum_ms;
            if (greedy.time_ms > 1)
                assert_true(spent < greedy.time_ms);
            greedy.time_ms += greedy.inc_ms - spent;
        }
    }
}

static void test_scaled_optimum(void **state) {
    (void)state;
    Rng rng = rng_at(2, 0, 0, 0);
    for (int i = 0; i < 50000; i++) {
        Features features = features_of(PROFILE_MODERN);
        for (size_t k = 0; i % 2 == 1 && k < SEARCH_NUMBER_NB; k++) {
            const SearchNumber *number = search_number(k);
            *search_number_in(&features, number) =
                number->low + (int)rng_below(&rng, (uint32_t)(number->high - number->low + 1));
        }
        TimePlan plan = plan_with(random_clock(&rng), &features.numbers);
        int stable = (int)rng_below(&rng, 30), drop = (int)rng_below(&rng, 2001) - 1000;
        double share = rng_real(&rng);
        int64_t ms = time_plan_optimum(&plan, &features.numbers, stable, drop, share);
        assert_true(ms >= 1 && ms <= plan.maximum_ms);
        // Settled searches stop sooner, and troubled ones later, whatever the numbers.
        assert_true(time_plan_optimum(&plan, &features.numbers, stable + 1, drop, share) <= ms);
        assert_true(time_plan_optimum(&plan, &features.numbers, stable, drop + 50, share) >= ms);
        assert_true(time_plan_optimum(&plan, &features.numbers, stable, drop, (share + 1) / 2) <=
                    ms);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_is_not_less), cmocka_unit_test(test_last_move_uses_most),
        cmocka_unit_test(test_hardly_any_time),  cmocka_unit_test(test_endless_time),
        cmocka_unit_test(test_whole_games),      cmocka_unit_test(test_scaled_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
