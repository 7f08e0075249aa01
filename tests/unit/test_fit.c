// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit_round.h"
#include "fitting.h"
#include "testing.h"

#include <math.h>

enum { COUNTS = 9, TERMS = 2 * COUNTS };

static DistPool *pool;
static LinearSet training, held_out;
static double known[TERMS], low[TERMS], high[TERMS];
static double least_observed;

static int set_up(void **state) {
    (void)state;
    Rng rng = rng_at(8, 0, 0, 0);
    pool = dist_pool_new(2);
    fitting_fill(&training, &rng, COUNTS, true, 1500, 4);
    fitting_fill(&held_out, &rng, COUNTS, true, 300, 4);
    for (size_t i = 0; i < TERMS; i++) {
        known[i] = (double)rng_below(&rng, 121) - 60;
        low[i] = -100;
        high[i] = 100;
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    linear_set_free(&training);
    linear_set_free(&held_out);
    dist_pool_free(pool);
    return 0;
}

// Targets that the known coefficients give, or the probabilities those stand for where K is not 0;
// off by up to `noise` either way.
static void aim(LinearSet *set, double k, double noise) {
    Rng rng = rng_at(9, 0, 0, 0);
    float *scores = malloc(set->count * sizeof *scores);
    assert_int_equal(linear_scores(set, known, pool, scores), OK);
    for (size_t i = 0; i < set->count; i++) {
        const double score = (double)scores[i] + noise * (2 * rng_real(&rng) - 1);
        linear_set_retarget(set, i, (float)(k == 0 ? score : linear_probability(score, k)));
    }
    free(scores);
}

static void observe(void *context, const FitRound *round) {
    (void)context;
    least_observed = fmin(least_observed, round->held_out);
}

static FitConfig config_of(LinearShape shape, double k) {
    least_observed = HUGE_VAL;
    return (FitConfig){.loss = {shape, k > 0, k},
                       .low = low,
                       .high = high,
                       .rate = 0.01,
                       .rounds = 800,
                       .observe = observe};
}

static FitResult fit(const FitConfig *config, double *coefficients) {
    FitResult result;
    memset(coefficients, 0, TERMS * sizeof *coefficients);
    assert_int_equal(fit_coefficients(config, &training, &held_out, pool, coefficients, &result),
                     OK);
    assert_true(result.best.held_out == least_observed);
    return result;
}

static void test_known_weights_are_found_again(void **state) {
    (void)state;
    const LinearShape shapes[] = {SHAPE_SQUARED, SHAPE_ABSOLUTE, SHAPE_CROSS_ENTROPY,
                                  SHAPE_SQUARED};
    const double ks[] = {0, 0, 1, 1};
    for (int i = 0; i < 4; i++) {
        double found[TERMS];
        aim(&training, ks[i], 0);
        aim(&held_out, ks[i], 0);
        const FitConfig config = config_of(shapes[i], ks[i]);
        fit(&config, found);
        assert_memory_equal(found, known, sizeof known);
    }
}

static void test_weights_stay_in_their_box(void **state) {
    (void)state;
    double found[TERMS], narrow_low[TERMS], narrow_high[TERMS];
    aim(&training, 0, 0);
    aim(&held_out, 0, 0);
    FitConfig config = config_of(SHAPE_SQUARED, 0);
    for (size_t i = 0; i < TERMS; i++) {
        narrow_low[i] = i == 3 ? 7 : -20;
        narrow_high[i] = i == 3 ? 7 : 20;
    }
    config.low = narrow_low;
    config.high = narrow_high;
    fit(&config, found);
    for (size_t i = 0; i < TERMS; i++)
        assert_true(found[i] >= narrow_low[i] && found[i] <= narrow_high[i]);
}

static void test_patience_ends_it_and_the_best_is_kept(void **state) {
    (void)state;
    double found[TERMS], again[TERMS];
    // Nothing can be learned: what helps on one set hurts on the other.
    aim(&training, 0, 900);
    for (size_t i = 0; i < held_out.count; i++)
        linear_set_retarget(&held_out, i, 0);
    FitConfig config = config_of(SHAPE_SQUARED, 0);
    config.patience = 20;
    const FitResult result = fit(&config, found);
    assert_true(result.is_early);
    assert_int_equal(result.rounds, result.best.number + 20);
    assert_int_equal(result.best.number, 0);
    config.patience = 0;
    config.rounds = 30;
    least_observed = HUGE_VAL;
    const FitResult whole = fit(&config, again);
    assert_false(whole.is_early);
    assert_int_equal(whole.rounds, 30);
    assert_memory_equal(found, again, sizeof found);
}

static void test_a_pull_keeps_weights_near_their_start(void **state) {
    (void)state;
    double loose[TERMS], tight[TERMS];
    aim(&training, 0, 0);
    aim(&held_out, 0, 0);
    FitConfig config = config_of(SHAPE_SQUARED, 0);
    fit(&config, loose);
    config.pull = 1e6;
    least_observed = HUGE_VAL;
    fit(&config, tight);
    for (size_t i = 0; i < TERMS; i++)
        assert_true(fabs(tight[i]) <= fabs(loose[i]) && fabs(tight[i]) < 15);
}

static void test_the_scale_is_found_again(void **state) {
    (void)state;
    const double expected = 1.7;
    double k;
    aim(&training, expected, 0);
    assert_int_equal(fit_k(&training, SHAPE_CROSS_ENTROPY, known, pool, &k), OK);
    assert_true(fabs(k - expected) < 1e-2);
    assert_int_equal(fit_k(&training, SHAPE_SQUARED, known, pool, &k), OK);
    assert_true(fabs(k - expected) < 1e-2);
    float *scores = malloc(2 * training.count * sizeof *scores);
    assert_int_equal(linear_scores(&training, known, pool, scores), OK);
    for (size_t i = 0; i < training.count; i++)
        scores[training.count + i] = linear_set_target(&training, i);
    float *results = scores + training.count;
    assert_int_equal(fit_k_of_scores(scores, results, training.count, &k), OK);
    assert_true(fabs(k - expected) < 1e-3);
    // Who has the higher score loses: no K is right.
    for (size_t i = 0; i < training.count; i++)
        results[i] = 1 - results[i];
    assert_int_equal(fit_k_of_scores(scores, results, training.count, &k), ERR_ARG);
    free(scores);
}

static void test_errors_are_told_in_words(void **state) {
    (void)state;
    FitErrors errors;
    float *scores = malloc(2 * training.count * sizeof *scores), *results = scores + training.count;
    assert_int_equal(linear_scores(&training, known, pool, scores), OK);
    for (size_t i = 0; i < training.count; i++) {
        results[i] = i % 2 == 0 ? 0.5f : scores[i] > 0 ? 1 : 0;
        scores[i] += 7;
    }
    assert_int_equal(fit_errors(&training, known, scores, results, pool, &errors), OK);
    assert_true(fabs(errors.absolute - 7) < 1e-3);
    assert_int_equal(errors.decided, training.count / 2);
    assert_true(errors.recognized > errors.decided * 9 / 10);
    assert_int_equal(fit_errors(&training, known, NULL, NULL, pool, &errors), OK);
    assert_true(isnan(errors.absolute) && errors.decided == 0);
    free(scores);
}

// Counts that always go together: rounded each by itself, all errors would add up.
static void test_rounding_keeps_what_weights_do_together(void **state) {
    (void)state;
    enum { TOGETHER = 7 };
    Rng rng = rng_at(10, 0, 0, 0);
    const FitConfig config = config_of(SHAPE_SQUARED, 0);
    double best[TOGETHER], whole[TOGETHER], wanted = 0, found = 0;
    LinearSet set;
    linear_set_init(&set, TOGETHER, false);
    for (size_t p = 0; p < 200; p++) {
        int16_t row[TOGETHER];
        const int16_t count = (int16_t)(1 + rng_below(&rng, 4));
        for (size_t i = 0; i < TOGETHER; i++)
            row[i] = count;
        const LinearRow one = {.counts = row, .middlegame = 1, .target = 1, .weight = 1};
        assert_int_equal(linear_set_add(&set, &one), OK);
    }
    for (size_t i = 0; i < TOGETHER; i++)
        best[i] = 10.4;
    assert_int_equal(fit_round(&config, &set, best, pool, whole), OK);
    for (size_t i = 0; i < TOGETHER; i++) {
        assert_true(whole[i] == round(whole[i]));
        wanted += best[i];
        found += whole[i];
    }
    assert_true(fabs(found - wanted) < 0.6);
    linear_set_free(&set);
}

// By the loss that is bent as the matrix says, rounding all together is better than each by itself;
// what is fixed stays, and nothing leaves its box.
static void test_rounding_together_loses_less(void **state) {
    (void)state;
    Rng rng = rng_at(11, 0, 0, 0);
    double more[2] = {0, 0}, box_low[TERMS], box_high[TERMS];
    FitConfig config = config_of(SHAPE_SQUARED, 0);
    memcpy(box_low, low, sizeof low);
    memcpy(box_high, high, sizeof high);
    box_low[4] = box_high[4] = 3;
    box_high[5] = 2;
    config.low = box_low;
    config.high = box_high;
    for (int i = 0; i < 20; i++) {
        double best[TERMS], whole[2][TERMS];
        fitting_draw(&rng, TERMS, 50, best);
        best[4] = 3;
        best[5] = 1.7;
        memcpy(known, best, sizeof known);
        aim(&training, 0, 0);
        assert_int_equal(fit_round(&config, &training, best, pool, whole[1]), OK);
        for (size_t k = 0; k < TERMS; k++) {
            whole[0][k] = round(best[k]);
            assert_true(whole[1][k] == round(whole[1][k]) && whole[1][k] >= box_low[k] &&
                        whole[1][k] <= box_high[k]);
        }
        for (int way = 0; way < 2; way++) {
            double loss;
            assert_int_equal(linear_slope(&training, &config.loss, whole[way], pool, &loss, NULL),
                             OK);
            more[way] += loss;
        }
    }
    assert_true(more[1] < more[0]);
}

static void test_nothing_to_learn_from_is_refused(void **state) {
    (void)state;
    LinearSet none;
    FitResult result;
    double found[TERMS] = {0};
    const FitConfig config = config_of(SHAPE_SQUARED, 0);
    linear_set_init(&none, COUNTS, true);
    assert_int_equal(fit_coefficients(&config, &none, &held_out, pool, found, &result), ERR_ARG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_weights_are_found_again),
        cmocka_unit_test(test_weights_stay_in_their_box),
        cmocka_unit_test(test_patience_ends_it_and_the_best_is_kept),
        cmocka_unit_test(test_a_pull_keeps_weights_near_their_start),
        cmocka_unit_test(test_the_scale_is_found_again),
        cmocka_unit_test(test_errors_are_told_in_words),
        cmocka_unit_test(test_nothing_to_learn_from_is_refused),
        cmocka_unit_test(test_rounding_keeps_what_weights_do_together),
        // Last: it changes what is known.
        cmocka_unit_test(test_rounding_together_loses_less),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
