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

static GroupedMean mean_of(Rng *rng, double middle) {
    double values[GROUPS], sizes[GROUPS];
    draw(values, rng, middle);
    for (size_t i = 0; i < GROUPS; i++)
        sizes[i] = 1;
    return grouped_mean(values, sizes, GROUPS);
}

static void test_without_a_difference_chances_are_spread_evenly(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    unsigned below_half = 0, below_twentieth = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        const GroupedMean one = mean_of(&rng, 0.2), other = mean_of(&rng, 0.2);
        const double chance = chance_of_means(&one, &other, 2 * (size_t)GROUPS);
        below_half += chance < 0.5;
        below_twentieth += chance < 0.05;
    }
    assert_in_range(below_half, TRIALS * 2 / 5, TRIALS * 3 / 5);
    assert_in_range(below_twentieth, 1, TRIALS / 10);
}

static void test_a_difference_is_found_whatever_its_sign(void **state) {
    (void)state;
    Rng rng = rng_at(2, 0, 0, 0);
    const GroupedMean one = mean_of(&rng, 0.3), other = mean_of(&rng, 0);
    const double chance = chance_of_means(&one, &other, 2 * (size_t)GROUPS);
    assert_true(chance < 0.001);
    assert_true(fabs(chance_of_means(&other, &one, 2 * (size_t)GROUPS) - chance) < 1e-12);
    const GroupedMean still = {0.5, 0}, nothing = {NAN, NAN};
    assert_true(chance_of_means(&still, &still, 2) >= 1);
    assert_true(chance_of_means(&still, &nothing, 10) >= 1);
}

static void test_distributions_have_their_known_values(void **state) {
    (void)state;
    assert_true(fabs(chance_of_normal(1.959964) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_normal(0) - 1) < 1e-12);
    // Tables of Student's distribution: 1, 2, 3, 5, 8 and 20 degrees of freedom.
    assert_true(fabs(chance_of_student(12.706205, 1) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_student(3.182446, 3) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_student(-4.032143, 5) - 0.01) < 1e-6);
    assert_true(fabs(chance_of_student(4.302653, 2) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_student(-2.306004, 8) - 0.05) < 1e-6);
    assert_true(fabs(chance_of_student(2.845340, 20) - 0.01) < 1e-6);
    assert_true(fabs(chance_of_student(1.96, 2000) - chance_of_normal(1.96)) < 1e-3);
    assert_true(chance_of_student(1e9, 8) >= 0);
}

static void test_what_does_not_vary_brings_no_degrees_of_freedom(void **state) {
    (void)state;
    assert_int_equal(chance_degrees(1, 1, 5), 8);
    assert_int_equal(chance_degrees(1, 0, 5), 4);
    assert_int_equal(chance_degrees(0, 3, 2), 1);
    assert_int_equal(chance_degrees(0, 0, 5), 4);
    // 21 deviations apart, seen in two draws of one side alone: once in 33.
    assert_true(fabs(chance_of_student(21, chance_degrees(0.03, 0, 2)) - 0.0303) < 1e-3);
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
        cmocka_unit_test(test_without_a_difference_chances_are_spread_evenly),
        cmocka_unit_test(test_a_difference_is_found_whatever_its_sign),
        cmocka_unit_test(test_distributions_have_their_known_values),
        cmocka_unit_test(test_what_does_not_vary_brings_no_degrees_of_freedom),
        cmocka_unit_test(test_what_stands_among_many),
        cmocka_unit_test(test_groups_that_hang_together_make_a_mean_less_sure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
