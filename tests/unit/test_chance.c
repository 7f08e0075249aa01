// SPDX-License-Identifier: GPL-3.0-or-later
// Chance: known distributions, and differences that are and are not there.
#include "players/chance.h"

#include "testing.h"

#include <math.h>

enum { GROUPS = 60, TRIALS = 200 };

static void draw(double *out, Rng *rng, double middle) {
    for (size_t i = 0; i < GROUPS; i++)
        out[i] = middle + rng_real(rng) - 0.5;
}

static void test_flipped_signs_of_few_groups_are_those_counted_by_hand(void **state) {
    (void)state;
    // Of the 16 ways to give 1, 2, 3 and 4 signs, two reach 10, four 8 or more.
    assert_true(fabs(chance_of_signs((double[]){1, 2, 3, 4}, 4, 5) - 2.0 / 16) < 0.015);
    assert_true(fabs(chance_of_signs((double[]){-1, 2, 3, 4}, 4, 5) - 4.0 / 16) < 0.02);
    assert_true(chance_of_signs((double[]){0, 0, 0}, 3, 5) >= 1);
    assert_true(chance_of_signs(NULL, 0, 5) >= 1);
}

static void test_without_a_difference_chances_are_spread_evenly(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    double values[GROUPS];
    unsigned below_half = 0, below_twentieth = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        draw(values, &rng, 0);
        const double chance = chance_of_signs(values, GROUPS, i);
        below_half += chance < 0.5;
        below_twentieth += chance < 0.05;
    }
    assert_in_range(below_half, TRIALS * 2 / 5, TRIALS * 3 / 5);
    assert_in_range(below_twentieth, 1, TRIALS / 10);
}

static void test_a_difference_is_found_whatever_its_sign(void **state) {
    (void)state;
    Rng rng = rng_at(2, 0, 0, 0);
    double values[GROUPS];
    draw(values, &rng, 0.3);
    const double chance = chance_of_signs(values, GROUPS, 0);
    assert_true(chance < 0.001);
    for (size_t i = 0; i < GROUPS; i++)
        values[i] = -values[i];
    assert_true(fabs(chance_of_signs(values, GROUPS, 0) - chance) < 1e-12);
}

static void test_distributions_have_their_known_values(void **state) {
    (void)state;
    assert_true(fabs(chance_of_normal(1.959964) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_normal(0) - 1) < 1e-12);
    // Tables of Student's distribution: 2, 8 and 20 degrees of freedom.
    assert_true(fabs(chance_of_student(4.302653, 2) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_student(-2.306004, 8) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_student(2.845340, 20) - 0.01) < 1e-6);
    assert_true(fabs(chance_of_student(1.96, 2000) - chance_of_normal(1.96)) < 1e-3);
    assert_true(chance_of_student(1e9, 8) >= 0);
}

static void test_what_stands_among_many(void **state) {
    (void)state;
    bool stands[4];
    // 0.05/4, 0.05/3 and 0.05/2: the third fails, and so must all after it.
    chance_holm((double[]){0.04, 0.01, 0.03, 0.016}, 4, 0.05, stands);
    assert_true(stands[1] && stands[3] && !stands[2] && !stands[0]);
    chance_holm((double[]){0.0126, 0.9, 0.9, 0.013}, 4, 0.05, stands);
    assert_false(stands[0] || stands[1] || stands[2] || stands[3]);
}

static void test_groups_that_hang_together_make_a_mean_less_sure(void **state) {
    (void)state;
    const double apart[] = {5, 5, 5, 5}, together[] = {10, 0, 10, 0}, sizes[] = {10, 10, 10, 10};
    const GroupedMean even = grouped_mean(apart, sizes, 4),
                      uneven = grouped_mean(together, sizes, 4);
    assert_true(fabs(even.mean - 0.5) < 1e-12 && fabs(uneven.mean - 0.5) < 1e-12);
    assert_true(even.deviation < 1e-12);
    assert_true(fabs(uneven.deviation - 0.25) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flipped_signs_of_few_groups_are_those_counted_by_hand),
        cmocka_unit_test(test_without_a_difference_chances_are_spread_evenly),
        cmocka_unit_test(test_a_difference_is_found_whatever_its_sign),
        cmocka_unit_test(test_distributions_have_their_known_values),
        cmocka_unit_test(test_what_stands_among_many),
        cmocka_unit_test(test_groups_that_hang_together_make_a_mean_less_sure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
