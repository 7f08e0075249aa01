// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/elo.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_close(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error))
        fail_msg("%.9f, expected %.9f", value, expected);
}

static void test_scores_and_elo(void **state) {
    (void)state;
    assert_close(elo_of_score(0.5), 0, 1e-9);
    assert_close(elo_of_score(0.75), 190.8485, 1e-3);
    assert_close(elo_of_score(0.64), 99.9509, 1e-3);
    assert_true(isinf(elo_of_score(1)) && elo_of_score(1) > 0);
    assert_true(isinf(elo_of_score(0)) && elo_of_score(0) < 0);
    for (int elo = -800; elo <= 800; elo += 50)
        assert_close(elo_of_score(elo_to_score(elo)), elo, 1e-6);
}

// By hand: score 160/300 = 0.53333, variance (100 + 30)/300 - 0.53333^2 = 0.148889, standard error
// 0.0222777, so the score is within 0.489670 and 0.576997.
static void test_games(void **state) {
    (void)state;
    EloEstimate e = elo_from_games(&(GameCounts){.wins = 100, .losses = 80, .draws = 120});
    assert_close(e.score, 0.533333, 1e-6);
    assert_close(e.elo, 23.1961, 1e-3);
    assert_close(e.low, elo_of_score(0.489670), 0.01);
    assert_close(e.high, elo_of_score(0.576997), 0.01);
    assert_close(e.margin, (e.high - e.low) / 2, 1e-9);
    assert_close(e.draw_ratio, 0.4, 1e-9);
    // Phi(20 / sqrt(180)).
    assert_close(e.los, 0.931981, 1e-5);
}

// The example of fastchess's and fishtest's pentanomial code: Ptnml(0-2) 365,16618,36229,16974,390.
static void test_pairs(void **state) {
    (void)state;
    EloEstimate e = elo_from_pairs(&(PairCounts){{365, 16618, 36229, 16974, 390}});
    double pairs = 365 + 16618 + 36229 + 16974 + 390;
    double mean = (0.25 * 16618 + 0.5 * 36229 + 0.75 * 16974 + 390) / pairs;
    assert_close(e.score, mean, 1e-12);
    // Computed apart, in Python.
    assert_close(e.elo, 0.999343, 1e-5);
    assert_close(e.low, 0.076273, 1e-5);
    assert_close(e.high, 1.922427, 1e-5);
    assert_close(e.los, 0.983078, 1e-5);
    assert_close(e.draw_ratio, 36229 / pairs, 1e-12);
    assert_close(e.normalized, 1.962271, 1e-5);
    assert_close(e.normalized_margin, 1.812504, 1e-5);
}

// Openings that are decided by colour spread games but not pairs: it takes fewer games to tell.
static void test_normalized(void **state) {
    (void)state;
    EloEstimate games = elo_from_games(&(GameCounts){.wins = 60, .losses = 40, .draws = 100});
    double variance = 0.25 * 100 / 200 - 0.05 * 0.05;
    assert_close(games.normalized, 0.05 / sqrt(variance) * 800 / log(10), 1e-9);
    EloEstimate pairs = elo_from_pairs(&(PairCounts){{0, 0, 90, 10, 0}});
    assert_true(pairs.normalized > elo_from_pairs(&(PairCounts){{5, 0, 80, 10, 5}}).normalized);
    assert_true(elo_from_games(&(GameCounts){.draws = 9}).normalized == 0);
    assert_true(isinf(elo_from_games(&(GameCounts){.wins = 9}).normalized));
}

// Pairs of a win and a loss each: the openings decide, the engines are even, and pairs see it.
static void test_pairs_are_sharper_than_games(void **state) {
    (void)state;
    EloEstimate games = elo_from_games(&(GameCounts){.wins = 100, .losses = 100});
    EloEstimate pairs = elo_from_pairs(&(PairCounts){{1, 2, 94, 2, 1}});
    assert_close(games.score, pairs.score, 1e-12);
    assert_true(pairs.margin < games.margin / 3);
}

static void check_total(const EloEstimate *e) {
    assert_false(isnan(e->score) || isnan(e->elo) || isnan(e->low) || isnan(e->high));
    assert_false(isnan(e->normalized) || isnan(e->normalized_margin));
    assert_false(isnan(e->margin) || isnan(e->los) || isnan(e->draw_ratio));
    assert_true(e->low <= e->elo && e->elo <= e->high);
    assert_true(e->los >= 0 && e->los <= 1);
}

static void test_total(void **state) {
    (void)state;
    for (uint64_t w = 0; w < 4; w++)
        for (uint64_t l = 0; l < 4; l++)
            for (uint64_t d = 0; d < 4; d++) {
                EloEstimate e = elo_from_games(&(GameCounts){w, l, d});
                EloEstimate reverse = elo_from_games(&(GameCounts){l, w, d});
                EloEstimate pairs = elo_from_pairs(&(PairCounts){{w, l, d, w * l, l}});
                check_total(&e);
                check_total(&pairs);
                assert_close(e.score, 1 - reverse.score, 1e-12);
                assert_close(e.los, 1 - reverse.los, 1e-12);
                assert_true(e.normalized == -reverse.normalized ||
                            fabs(e.normalized + reverse.normalized) < 1e-9);
            }
    EloEstimate none = elo_from_games(&(GameCounts){0});
    assert_close(none.score, 0.5, 0);
    assert_close(none.los, 0.5, 0);
    EloEstimate wins = elo_from_games(&(GameCounts){.wins = 10});
    assert_true(isinf(wins.elo) && isfinite(wins.low) && wins.low > 100);
    EloEstimate draws = elo_from_games(&(GameCounts){.draws = 10});
    assert_true(draws.elo == 0 && draws.low < 0 && isfinite(draws.low) && draws.los == 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores_and_elo), cmocka_unit_test(test_games),
        cmocka_unit_test(test_pairs),          cmocka_unit_test(test_pairs_are_sharper_than_games),
        cmocka_unit_test(test_normalized),     cmocka_unit_test(test_total),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
