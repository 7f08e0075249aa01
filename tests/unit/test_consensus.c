// SPDX-License-Identifier: GPL-3.0-or-later
// One score of several mentors: known scales are found again, and what makes no sense is refused.
#include "fitness/linear/consensus.h"
#include "mentoring.h"

#include <math.h>

enum { COUNT = 3000, MOST = COUNT * MENTORS_MAX };

static int32_t scores[MOST];
static double truth[COUNT];

// Scores of a common truth, each mentor's with its scale, offset and noise; a few are far off.
static void make_scores(Rng *rng, size_t mentors, const double *scales, const double *offsets,
                        double noise, bool has_outliers) {
    for (size_t i = 0; i < COUNT; i++) {
        // Most positions are about equal, some are won.
        truth[i] = (rng_real(rng) - 0.5) * (rng_below(rng, 10) == 0 ? 1500 : 200);
        for (size_t m = 0; m < mentors; m++) {
            double own = truth[i] + noise * (rng_real(rng) + rng_real(rng) - 1);
            if (has_outliers && rng_below(rng, 50) == 0)
                own += rng_below(rng, 2) == 0 ? 900 : -700;
            scores[i * mentors + m] = (int32_t)lround(scales[m] * own + offsets[m]);
        }
    }
}

static void learn(Consensus *consensus, ConsensusTarget target, ConsensusMeasure measure,
                  size_t mentors) {
    if (consensus_learn(consensus, target, measure, scores, COUNT, mentors) != OK)
        fail_msg("%s", error_message());
}

static void assert_near(double value, double expected, double off) {
    if (!(fabs(value - expected) <= off))
        fail_msg("%g is not within %g of %g", value, off, expected);
}

static double mean_error(const Consensus *consensus) {
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++)
        sum += fabs(consensus_target(consensus, scores + i * consensus->mentors) - truth[i]);
    return sum / COUNT;
}

static void test_known_scales_are_found(void **state) {
    (void)state;
    static const double scales[] = {0.7, 1, 1.4}, offsets[] = {12, 0, -20};
    for (uint32_t seed = 0; seed < 6; seed++) {
        Rng rng = rng_at(seed, 1, 0, 0);
        Consensus fitted;
        make_scores(&rng, 3, scales, offsets, 40, seed % 2 == 1);
        learn(&fitted, CONSENSUS_FITTED, MEASURE_NONE, 3);
        // Up to the measure of the truth itself.
        const double unit = fitted.scale[1];
        for (size_t m = 0; m < 3; m++)
            assert_near(fitted.scale[m] / unit, scales[m], 0.02);
        assert_near((fitted.scale[0] + fitted.scale[1] + fitted.scale[2]) / 3, 1, 1e-9);
        assert_near(fitted.offset[0] + fitted.offset[1] + fitted.offset[2], 0, 1e-6);
        // Differences between mentors at a truth of 0.
        const double shift = fitted.offset[1];
        for (size_t m = 0; m < 3; m++)
            assert_near(fitted.offset[m] - shift * fitted.scale[m] / unit, offsets[m], 2);
        for (size_t a = 0; a < 3; a++)
            for (size_t b = a + 1; b < 3; b++)
                assert_true(consensus_difference(&fitted, scores, COUNT, a, b, true) <
                            consensus_difference(&fitted, scores, COUNT, a, b, false));
    }
}

static void test_two_mentors_can_be_fitted(void **state) {
    (void)state;
    static const double scales[] = {0.8, 1.2}, offsets[] = {0, 10};
    Rng rng = rng_at(7, 1, 0, 0);
    Consensus fitted;
    make_scores(&rng, 2, scales, offsets, 30, false);
    learn(&fitted, CONSENSUS_FITTED, MEASURE_NONE, 2);
    assert_near(fitted.scale[1] / fitted.scale[0], 1.5, 0.02);
    assert_near((fitted.scale[0] + fitted.scale[1]) / 2, 1, 1e-9);
}

static void test_spreads_become_the_same(void **state) {
    (void)state;
    static const double scales[] = {0.7, 1, 1.4}, offsets[] = {0, 0, 0};
    Rng rng = rng_at(8, 1, 0, 0);
    Consensus scaled;
    make_scores(&rng, 3, scales, offsets, 10, false);
    learn(&scaled, CONSENSUS_MEDIAN, MEASURE_SCALE, 3);
    for (size_t m = 0; m < 3; m++) {
        assert_near(scaled.scale[m] / scaled.scale[1], scales[m], 0.05);
        assert_true(scaled.offset[m] == 0);
    }
}

static void test_targets_by_hand(void **state) {
    (void)state;
    Consensus consensus = {.target = CONSENSUS_MEAN,
                           .mentors = 3,
                           .scale = {1, 2, 0.5},
                           .offset = {0, 10, -5},
                           .width = INFINITY};
    const int32_t three[] = {30, 50, 40}; // 30, 20 and 90 in one measure
    assert_near(consensus_target(&consensus, three), 140.0 / 3, 1e-9);
    consensus.target = CONSENSUS_MEDIAN;
    assert_near(consensus_target(&consensus, three), 30, 1e-9);
    consensus.target = CONSENSUS_FITTED;
    assert_near(consensus_target(&consensus, three), 140.0 / 3, 1e-9);
    // The third counts only as far as it goes: 30 + 20 + (t + 12) = 3 t.
    consensus.width = 12;
    assert_near(consensus_target(&consensus, three), 31, 1e-6);
    consensus = (Consensus){.target = CONSENSUS_MEDIAN, .mentors = 2, .scale = {1, 1}};
    assert_near(consensus_target(&consensus, three), 40, 1e-9);
}

// What outliers do to the mean they do not do to the others.
static void test_outliers_are_seen_through(void **state) {
    (void)state;
    static const double scales[] = {1, 1, 1}, offsets[] = {0, 0, 0};
    Rng rng = rng_at(9, 1, 0, 0);
    Consensus mean, median, fitted;
    make_scores(&rng, 3, scales, offsets, 20, true);
    learn(&mean, CONSENSUS_MEAN, MEASURE_NONE, 3);
    learn(&median, CONSENSUS_MEDIAN, MEASURE_NONE, 3);
    learn(&fitted, CONSENSUS_FITTED, MEASURE_NONE, 3);
    assert_true(mean_error(&median) < mean_error(&mean));
    assert_true(mean_error(&fitted) < mean_error(&mean));
}

static void test_what_cannot_be_measured_is_refused(void **state) {
    (void)state;
    static const double scales[] = {1, -1, 1}, offsets[] = {0, 0, 0};
    Rng rng = rng_at(10, 1, 0, 0);
    Consensus consensus;
    make_scores(&rng, 3, scales, offsets, 20, false);
    assert_int_equal(consensus_learn(&consensus, CONSENSUS_FITTED, MEASURE_NONE, scores, COUNT, 3),
                     ERR_ARG);
    assert_message("mentor 2 cannot be brought to one measure");
    for (size_t i = 0; i < COUNT; i++)
        scores[i * 3] = i % 3 == 0;
    assert_int_equal(consensus_learn(&consensus, CONSENSUS_MEAN, MEASURE_SCALE, scores, COUNT, 3),
                     ERR_ARG);
    assert_message("half of the scores of mentor 1 are 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_scales_are_found),
        cmocka_unit_test(test_two_mentors_can_be_fitted),
        cmocka_unit_test(test_spreads_become_the_same),
        cmocka_unit_test(test_targets_by_hand),
        cmocka_unit_test(test_outliers_are_seen_through),
        cmocka_unit_test(test_what_cannot_be_measured_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
