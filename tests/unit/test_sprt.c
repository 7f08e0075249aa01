// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"
#include "match/rating/sprt.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_close(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error))
        fail_msg("%.9f, expected %.9f", value, expected);
}

static const SprtConfig models[] = {
    {-3, 5, 0.05, 0.05, SPRT_LOGISTIC},
    {-3, 5, 0.05, 0.05, SPRT_NORMALIZED},
    {0, 60, 0.05, 0.10, SPRT_LOGISTIC},
    {0, 60, 0.05, 0.10, SPRT_NORMALIZED},
};
enum { MODELS = sizeof models / sizeof models[0] };

// fishtest's example, as in fastchess's tests: it holds for normalized Elo.
static void test_published_ratio(void **state) {
    (void)state;
    PairCounts pairs = {{365, 16618, 36229, 16974, 390}};
    SprtConfig config = {0, 2, 0.05, 0.05, SPRT_NORMALIZED};
    SprtState test = sprt_from_pairs(&config, &pairs);
    assert_close(test.llr, 2.2503677, 1e-5);
    assert_close(test.upper, 2.9444390, 1e-6);
    assert_close(test.lower, -2.9444390, 1e-6);
    assert_int_equal(test.verdict, SPRT_GOES_ON);
    // A mean of 1 Elo is half way between 0 and 2 when those are logistic.
    config.model = SPRT_LOGISTIC;
    assert_close(sprt_from_pairs(&config, &pairs).llr, -0.0059199, 1e-6);
}

// Without draws the likeliest distribution is the hypothesis itself: the classical test.
static void test_two_results_are_the_classical_test(void **state) {
    (void)state;
    SprtConfig config = {0, 20, 0.05, 0.05, SPRT_LOGISTIC};
    double p = elo_to_score(20);
    double expected = 600 * log(p / 0.5) + 550 * log((1 - p) / 0.5);
    SprtState test = sprt_from_games(&config, &(GameCounts){.wins = 600, .losses = 550});
    assert_close(test.llr, expected, 0.01);
}

static const uint64_t some[] = {0, 1, 2, 30, 1000, 1000000000000000000};
enum { SOME = sizeof some / sizeof some[0] };

static void check_state(const SprtState *test) {
    assert_true(isfinite(test->llr));
    assert_int_equal(test->verdict, test->llr >= test->upper   ? SPRT_H1
                                    : test->llr <= test->lower ? SPRT_H0
                                                               : SPRT_GOES_ON);
}

// Seen from the other side, H0 and H1 trade places and signs. Rounding grows with the counts.
static void check_symmetry(const SprtConfig *config, const GameCounts *counts) {
    SprtConfig other = *config;
    other.elo0 = -config->elo1;
    other.elo1 = -config->elo0;
    GameCounts swapped = {counts->losses, counts->wins, counts->draws};
    SprtState test = sprt_from_games(config, counts), back = sprt_from_games(&other, &swapped);
    double total = (double)counts->wins + (double)counts->losses + (double)counts->draws;
    assert_close(test.llr, -back.llr, 1e-6 + 1e-8 * total);
}

static void test_total_and_symmetric(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++)
        for (size_t w = 0; w < SOME; w++)
            for (size_t l = 0; l < SOME; l++)
                for (size_t d = 0; d < SOME; d++) {
                    GameCounts counts = {some[w], some[l], some[d]};
                    PairCounts pairs = {{some[l], some[d], some[w], some[l], some[d]}};
                    SprtState games = sprt_from_games(&models[m], &counts);
                    SprtState paired = sprt_from_pairs(&models[m], &pairs);
                    check_state(&games);
                    check_state(&paired);
                    check_symmetry(&models[m], &counts);
                }
}

static void test_nothing_played_says_nothing(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        SprtState games = sprt_from_games(&models[m], &(GameCounts){0});
        SprtState pairs = sprt_from_pairs(&models[m], &(PairCounts){0});
        assert_true(games.llr == 0 && games.verdict == SPRT_GOES_ON);
        assert_true(pairs.llr == 0 && pairs.verdict == SPRT_GOES_ON);
    }
}

static void test_more_wins_more_ratio(void **state) {
    (void)state;
    for (size_t m = 0; m < MODELS; m++)
        for (uint64_t losses = 0; losses < 40; losses += 13)
            for (uint64_t draws = 0; draws < 40; draws += 13) {
                double last = -INFINITY;
                for (uint64_t wins = 0; wins < 60; wins++) {
                    GameCounts counts = {wins, losses, draws};
                    double llr = sprt_from_games(&models[m], &counts).llr;
                    // Before the first game it is 0, wherever the hypotheses lie.
                    if (wins + losses + draws > 1)
                        assert_true(llr > last);
                    last = llr;
                }
            }
}

// Shares of losses and wins when a third of the games is drawn.
static SprtVerdict simulate(const SprtConfig *config, double elo, uint32_t run) {
    Rng rng = rng_at(7, run, config->model, 0);
    GameCounts counts = {0};
    double win = elo_to_score(elo) - 1.0 / 6;
    for (;;) {
        double draw = rng_real(&rng);
        if (draw < win)
            counts.wins++;
        else if (draw < win + 1.0 / 3)
            counts.draws++;
        else
            counts.losses++;
        SprtState test = sprt_from_games(config, &counts);
        if (test.verdict != SPRT_GOES_ON)
            return test.verdict;
    }
}

// Accepted wrongly at most as often as agreed, up to three deviations of the simulation.
static void test_error_rates(void **state) {
    (void)state;
    enum { RUNS = 300 };
    SprtConfig config = {0, 60, 0.05, 0.10, SPRT_LOGISTIC};
    double elo1 = config.elo1;
    for (int m = 0; m < 2; m++) {
        int wrong_h1 = 0, wrong_h0 = 0;
        for (uint32_t run = 0; run < RUNS; run++) {
            wrong_h1 += simulate(&config, 0, run) == SPRT_H1;
            wrong_h0 += simulate(&config, elo1, run + RUNS) == SPRT_H0;
        }
        assert_true(wrong_h1 <= RUNS * 0.05 + 3 * sqrt(RUNS * 0.05 * 0.95));
        assert_true(wrong_h0 <= RUNS * 0.10 + 3 * sqrt(RUNS * 0.10 * 0.90));
        // The same strength in the other unit.
        double score = elo_to_score(elo1);
        double variance = score - 1.0 / 6 + 0.25 / 3 - score * score;
        config.model = SPRT_NORMALIZED;
        config.elo1 = ELO_PER_DEVIATION * (score - 0.5) / sqrt(variance);
    }
}

static Status parse(SprtConfig *out, char *text) {
    return sprt_parse(out, &text, 1);
}

static void test_words(void **state) {
    (void)state;
    SprtConfig config;
    char *words[] = {"elo0=-1.5", "elo1=4", "alpha=0.01", "beta=0.1", "model=normalized"};
    assert_int_equal(sprt_parse(&config, words, 5), OK);
    assert_true(config.elo0 == -1.5 && config.elo1 == 4 && config.alpha == 0.01);
    assert_true(config.beta == 0.1 && config.model == SPRT_NORMALIZED);
    assert_int_equal(parse(&config, "elo1=5 elo0=0"), OK);
    assert_true(config.alpha == 0.05 && config.beta == 0.05 && config.model == SPRT_LOGISTIC);
    static char *const bad[] = {"",
                                "elo0=0",
                                "elo0=0 elo1=0",
                                "elo0=5 elo1=0",
                                "elo0=0 elo1=x",
                                "elo0=0 elo1=nan",
                                "elo0=0 elo1=5 alpha=0",
                                "elo0=0 elo1=5 beta=0.5",
                                "elo0=0 elo1=5 model=bayesian",
                                "elo0=0 elo1=300 model=normalized",
                                "elo0=0 elo1=5 gamma=1",
                                "elo0 elo1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(parse(&config, bad[i]), ERR_ARG);
}

static void test_lines(void **state) {
    (void)state;
    Str out = {0};
    SprtConfig config = {0, 2, 0.05, 0.05, SPRT_NORMALIZED};
    SprtState test = sprt_from_pairs(&config, &(PairCounts){{365, 16618, 36229, 16974, 390}});
    sprt_describe(&config, &test, &out);
    assert_string_equal(str_text(&out), "SPRT: llr 2.25 (76.4%), lbound -2.94, ubound 2.94\n"
                                        "LLR: 2.25 (-2.94, 2.94) [0.00, 2.00] normalized Elo\n");
    str_clear(&out);
    test = sprt_from_games(&config, &(GameCounts){.losses = 10000, .draws = 100});
    sprt_describe(&config, &test, &out);
    assert_non_null(strstr(str_text(&out), " - H0 was accepted\n"));
    str_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_ratio),
        cmocka_unit_test(test_two_results_are_the_classical_test),
        cmocka_unit_test(test_total_and_symmetric),
        cmocka_unit_test(test_nothing_played_says_nothing),
        cmocka_unit_test(test_more_wins_more_ratio),
        cmocka_unit_test(test_error_rates),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
