// SPDX-License-Identifier: GPL-3.0-or-later
// The pull towards the start, what data know of a weight, and the test by games, where the answers
// are known.
#include "fit/fit_pull.h"
#include "fit/fit_verdict.h"
#include "fitting.h"
#include "pooled.h"

#include <math.h>
#include <stdlib.h>

enum { COUNTS = 9, TERMS = COUNTS, GAME = 8 };

static double low[TERMS], high[TERMS];
static const double truth[TERMS] = {30, -20, 25, 0, 0, 0, 0, 0, 0};

// Games of eight positions that share a result: by the truth, or by a coin.
static void fill(LinearData *data, uint64_t seed, size_t games, bool by_luck) {
    Rng rng = rng_at(seed, 0, 0, 0);
    *data = (LinearData){0};
    fitting_fill(&data->set, &rng, COUNTS, false, GAME * games, 4);
    data->games = malloc(GAME * games * sizeof *data->games);
    float *scores = malloc(GAME * games * sizeof *scores);
    assert_int_equal(linear_scores(&data->set, truth, pool, scores), OK);
    for (size_t game = 0; game < games; game++) {
        double sum = 0;
        for (size_t i = 0; i < GAME; i++)
            sum += (double)scores[GAME * game + i] / GAME;
        const double chance = by_luck ? 0.5 : linear_probability(2 * sum, 1);
        const float result = rng_real(&rng) < chance ? 1 : 0;
        for (size_t i = 0; i < GAME; i++) {
            data->games[GAME * game + i] = seed * 1000000 + game;
            linear_set_retarget(&data->set, GAME * game + i, result);
        }
    }
    free(scores);
}

static void data_free(LinearData *data) {
    linear_set_free(&data->set);
    free(data->games);
}

static FitConfig config_of(void) {
    for (size_t i = 0; i < TERMS; i++) {
        low[i] = -100;
        high[i] = 100;
    }
    return (FitConfig){.loss = {SHAPE_CROSS_ENTROPY, true, 1},
                       .low = low,
                       .high = high,
                       .rate = 0.01,
                       .rounds = 300,
                       .patience = 50};
}

static FitPull fit(bool by_luck, size_t games, double *found) {
    LinearData training, held_out;
    FitResult result;
    FitPull pull;
    const FitConfig config = config_of();
    fill(&training, 1, games, by_luck);
    fill(&held_out, 2, games / 4, by_luck);
    memset(found, 0, TERMS * sizeof *found);
    assert_int_equal(linear_data_games(&training), games);
    assert_int_equal(fit_with_pull(&config, &training, &held_out, pool, found, &result, &pull), OK);
    assert_int_equal(pull.count, FIT_TRIALS_MAX);
    assert_true(result.start.held_out == result.best.held_out || pull.chosen > 0);
    data_free(&training);
    data_free(&held_out);
    return pull;
}

static void test_what_many_games_say_is_learned(void **state) {
    (void)state;
    double found[TERMS];
    const FitPull pull = fit(false, 4000, found);
    assert_true(pull.chosen > 0);
    assert_true(found[0] > 2 && found[1] < -1 && found[2] > 1);
    for (size_t i = 3; i < TERMS; i++)
        assert_true(fabs(found[i]) < 6);
}

static void test_a_coin_leaves_the_start(void **state) {
    (void)state;
    double found[TERMS];
    fit(true, 300, found);
    for (size_t i = 0; i < TERMS; i++)
        assert_true(fabs(found[i]) <= 1);
}

// More games make surer; what no position has, nothing tells; a fixed weight is what it is.
static void test_certainty(void **state) {
    (void)state;
    FitConfig config = config_of();
    FitCertainty few[TERMS], many[TERMS];
    LinearData data;
    config.pull = 1e-3;
    low[4] = high[4] = 0;
    fill(&data, 3, 1000, false);
    int16_t counts[COUNTS] = {0};
    assert_int_equal(fit_certainty(&config, &data.set, 100, truth, pool, few), OK);
    assert_int_equal(fit_certainty(&config, &data.set, 1000, truth, pool, many), OK);
    for (size_t i = 0; i < TERMS; i++) {
        if (i == 4) {
            assert_true(many[i].deviation == 0 && many[i].share == 1);
            continue;
        }
        assert_true(many[i].deviation < few[i].deviation);
        assert_true(few[i].share > 0 && few[i].share < 1);
    }
    data_free(&data);
    LinearSet empty;
    linear_set_init(&empty, COUNTS, false);
    const LinearRow row = {.counts = counts, .middlegame = 1, .target = 1, .weight = 1};
    assert_int_equal(linear_set_add(&empty, &row), OK);
    assert_int_equal(fit_certainty(&config, &empty, 1, truth, pool, few), OK);
    assert_true(few[0].share < 1e-9);
    config.pull = 0;
    assert_int_equal(fit_certainty(&config, &empty, 1, truth, pool, few), OK);
    assert_true(isinf(few[0].deviation) && few[0].share == 0);
    linear_set_free(&empty);
}

// Both coefficients of a count at once, or one by one, where one of a last count, which no position
// has, is fixed.
static void test_certainty_in_pairs(void **state) {
    (void)state;
    enum { PAIRS = 6, PAIRED = 2 * PAIRS };
    double least[PAIRED + 2], most[PAIRED + 2], at[PAIRED + 2] = {10, -4, 7, 3};
    for (size_t i = 0; i < PAIRED + 2; i++) {
        least[i] = i == PAIRED + 1 || i / 2 == 2 ? 0 : -100;
        most[i] = -least[i];
    }
    const FitConfig config = {.loss = {SHAPE_CROSS_ENTROPY, true, 1}, .low = least, .high = most};
    FitCertainty certainty[2][PAIRED + 2];
    for (size_t more = 0; more < 2; more++) {
        Rng rng = rng_at(9, 0, 0, 0);
        LinearSet set;
        linear_set_init(&set, PAIRS + more, true);
        for (size_t p = 0; p < 700; p++) {
            int16_t counts[PAIRS + 1] = {0};
            for (size_t i = 0; i < PAIRS; i++)
                counts[i] = (int16_t)((int)rng_below(&rng, 5) - 2);
            const float share = p % 9 == 0 ? 1 : (float)rng_real(&rng);
            const LinearRow row = {counts, share, 1 - share, 1, 1, 0, NULL, 0};
            assert_int_equal(linear_set_add(&set, &row), OK);
        }
        assert_int_equal(fit_certainty(&config, &set, 700, at, pool, certainty[more]), OK);
        linear_set_free(&set);
    }
    for (size_t i = 0; i < PAIRED; i++)
        assert_true(certainty[0][i].deviation == certainty[1][i].deviation &&
                    certainty[0][i].share == certainty[1][i].share);
}

// A queen thrown in is better, the same weights are not, and the result is the same on all threads.
static void test_verdict_by_games(void **state) {
    (void)state;
    const FitVerdictConfig config = {
        .games = 128, .nodes = 100, .openings = "tests/data/openings.epd", .seed = 1};
    Weights good = {0}, bad = {0};
    FitVerdict verdict, again;
    weights_init(&good, family_find("maestro"));
    weights_init(&bad, family_find("maestro"));
    for (size_t i = 0; i < bad.family->term_count; i++)
        if (strcmp(bad.family->terms[i].name, "QUEEN_VALUE") == 0)
            bad.parameters[i] = 100;
    assert_int_equal(fit_verdict_play(&config, &good, &bad, pool, &verdict), OK);
    assert_int_equal(verdict.answer, ANSWER_BETTER);
    assert_int_equal(fit_verdict_play(&config, &bad, &good, pool, &again), OK);
    assert_int_equal(again.answer, ANSWER_WORSE);
    assert_int_equal(fit_verdict_play(&config, &good, &good, pool, &again), OK);
    assert_int_equal(again.answer, ANSWER_CANNOT_TELL);
    assert_int_equal(again.games.wins, again.games.losses);
    const FitVerdictConfig too_many = {.games = 100000, .nodes = 1, .openings = config.openings};
    assert_int_equal(fit_verdict_play(&too_many, &good, &bad, pool, &again), ERR_ARG);
    weights_free(&good);
    weights_free(&bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_many_games_say_is_learned),
        cmocka_unit_test(test_a_coin_leaves_the_start),
        cmocka_unit_test(test_certainty),
        cmocka_unit_test(test_certainty_in_pairs),
        cmocka_unit_test(test_verdict_by_games),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
