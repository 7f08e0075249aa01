// SPDX-License-Identifier: GPL-3.0-or-later
// Evolution by games on made-up landscapes of strength, with the noise that real games have.
#include "evolve/race.h"

#include "base/rng.h"
#include "landscapes.h"
#include "sized.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = LANDSCAPE_SIZE, SEATS = 32, SHARE = 16 };

static const double low[SIZE], high[SIZE] = {200, 200, 200, 200, 200}, step[SIZE] = {1, 1, 1, 1, 1};

typedef struct Result {
    double regained; // share of the Elo lost at the start
    RaceCounts counts;
    double best[SIZE];
} Result;

static void check_meeting(const RaceMeeting *meeting) {
    bool is_same = true;
    for (int i = 0; i < SIZE; i++) {
        is_same = is_same && meeting->first[i] == meeting->second[i];
        assert_true(meeting->first[i] >= low[i] && meeting->first[i] <= high[i]);
        assert_true(meeting->first[i] == floor(meeting->first[i]));
    }
    assert_false(is_same);
}

static Result run_race(Landscape landscape, uint64_t seed, uint64_t games, bool has_equal_shares) {
    const RaceConfig config = {
        SIZE, low, high, step, landscape_start, seed, SEATS, SHARE, has_equal_shares};
    Race *race = race_new(&config);
    Result result = {0};
    for (uint64_t round = 0; result.counts.meetings * 2 < games; round++) {
        RaceMeeting meetings[SEATS];
        int points[SEATS];
        const size_t count = race_ask(race, meetings);
        for (size_t i = 0; i < count; i++) {
            check_meeting(&meetings[i]);
            Rng rng = rng_at(seed, (uint32_t)round, (uint32_t)i, 1);
            const double elo = landscape(meetings[i].first) - landscape(meetings[i].second);
            points[i] = play_pair(&rng, elo);
        }
        race_tell(race, points);
        result.counts = race_counts(race);
    }
    race_best(race, result.best);
    result.regained = landscape_regained(landscape, result.best);
    race_free(race);
    return result;
}

static void test_regains_what_was_lost(void **state) {
    (void)state;
    static const Landscape landscapes[] = {by_ratios, by_cliffs};
    for (size_t i = SIZED(0, 1); i < 2; i++)
        for (uint64_t seed = 1; seed <= SIZED(3, 1); seed++) {
            const Result result = run_race(landscapes[i], seed, 9600, false);
            print_message(
                "landscape %zu, seed %d: regained %.0f%%, racing saved %.0f%%\n", i, (int)seed,
                100 * result.regained,
                100 * (1 - (double)result.counts.meetings / (double)result.counts.equal_meetings));
            assert_true(result.regained > 0.6);
            assert_true((double)result.counts.meetings <
                        0.7 * (double)result.counts.equal_meetings);
        }
}

// With 30% fewer games it comes as far as equal shares do.
static void test_racing_saves_games(void **state) {
    (void)state;
    static const Landscape landscapes[] = {by_ratios, by_cliffs};
    enum { FIRST = SIZED(1, 4), LAST = 4, SEEDS = LAST - FIRST + 1, GAMES = 4800 };
    for (size_t i = 0; i < 2; i++) {
        double racing = 0, equal = 0;
        for (uint64_t seed = FIRST; seed <= LAST; seed++) {
            racing += run_race(landscapes[i], seed, GAMES * 7 / 10, false).regained / SEEDS;
            equal += run_race(landscapes[i], seed, GAMES, true).regained / SEEDS;
        }
        print_message(
            "landscape %zu: %d games of racing regained %.0f%%, %d in equal shares %.0f%%\n", i,
            GAMES * 7 / 10, 100 * racing, GAMES, 100 * equal);
        assert_true(racing > equal - 0.02);
    }
}

static void test_same_seed_same_race(void **state) {
    (void)state;
    const Result one = run_race(by_ratios, 5, 640, false), two = run_race(by_ratios, 5, 640, false);
    const Result other = run_race(by_ratios, 6, 640, false);
    assert_memory_equal(&one, &two, sizeof one);
    assert_memory_not_equal(one.best, other.best, sizeof one.best);
}

static void test_equal_shares_stop_nobody(void **state) {
    (void)state;
    const Result result = run_race(by_cliffs, 1, 1280, true);
    assert_int_equal(result.counts.stopped, 0);
    assert_int_equal(result.counts.refused, 0);
    assert_int_equal(result.counts.equal_meetings, result.counts.meetings);
    assert_int_equal(result.counts.candidates, (1280 / SEATS + SHARE - 1) / SHARE * SEATS);
}

// The model against a landscape that is what it takes it for: it finds the top, and knows how sure
// it is.
static void test_model_of_a_quadratic(void **state) {
    (void)state;
    enum { DUELS = 3000, POINTS = 50 };
    DuelModel *model = duel_model_new(2);
    Rng rng = rng_at(3, 0, 0, 0);
    const double top[2] = {0.3, -0.2};
    double total = 0;
    for (int i = 0; i < DUELS; i++) {
        double at[2][2], elo[2];
        for (int c = 0; c < 2; c++) {
            for (int k = 0; k < 2; k++)
                at[c][k] = 2 * rng_real(&rng) - 1;
            elo[c] = -100 * pow(at[c][0] - top[0], 2) - 60 * pow(at[c][1] - top[1], 2);
        }
        duel_model_add(model, at[0], at[1], play_pair(&rng, elo[0] - elo[1]));
    }
    duel_model_fit(model);
    const double *best = duel_model_best(model);
    assert_true(fabs(best[0] - top[0]) < 0.15 && fabs(best[1] - top[1]) < 0.15);
    for (int i = 0; i < POINTS; i++) {
        const double at[2] = {2 * rng_real(&rng) - 1, 2 * rng_real(&rng) - 1};
        const double elo = -100 * pow(at[0] - top[0], 2) - 60 * pow(at[1] - top[1], 2);
        const double seen = duel_model_value(model, at) - duel_model_value(model, top);
        total += pow((seen - elo) / duel_model_deviation(model, top, at), 2);
    }
    // Draws at the two ends of a steep slope make Elo flatter there: no closer than a few
    // deviations.
    assert_true(total / POINTS < 9);
    duel_model_free(model);
}

static void test_model_without_games(void **state) {
    (void)state;
    DuelModel *model = duel_model_new(3);
    const double a[3] = {-1, 0.5, 1}, b[3] = {0, 0, 0};
    assert_true(duel_model_deviation(model, a, b) > 100);
    assert_true(duel_model_value(model, b) > duel_model_value(model, a));
    duel_model_add(model, a, b, 4);
    duel_model_fit(model);
    assert_true(isfinite(duel_model_value(model, a)) && duel_model_count(model) == 1);
    duel_model_free(model);
}

// Few steps, and results that all say the same: everything stays finite and inside.
static void test_small_grid(void **state) {
    (void)state;
    const double lows[2] = {0, -3}, highs[2] = {10, 3}, steps[2] = {10, 3}, starts[2] = {0, 1};
    const RaceConfig config = {2, lows, highs, steps, starts, 9, SEATS, 4, false};
    Race *race = race_new(&config);
    for (int round = 0; round < 50; round++) {
        RaceMeeting meetings[SEATS];
        int points[SEATS];
        const size_t count = race_ask(race, meetings);
        assert_int_equal(count, 3); // six candidates in all
        for (size_t i = 0; i < count; i++)
            points[i] = round % 5 == 4 ? -1 : meetings[i].first[0] < meetings[i].second[0] ? 0 : 4;
        race_tell(race, points);
    }
    double best[2], deviation;
    race_best(race, best);
    assert_true(best[0] == 0 || best[0] == 10);
    assert_true(best[1] == -3 || best[1] == 0 || best[1] == 3);
    assert_true(isfinite(race_gain(race, starts, best, &deviation)) && isfinite(deviation));
    race_free(race);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_without_games), cmocka_unit_test(test_model_of_a_quadratic),
        cmocka_unit_test(test_same_seed_same_race), cmocka_unit_test(test_equal_shares_stop_nobody),
        cmocka_unit_test(test_small_grid),          cmocka_unit_test(test_regains_what_was_lost),
        cmocka_unit_test(test_racing_saves_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
