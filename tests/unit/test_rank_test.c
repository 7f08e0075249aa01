// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of ranks against values that are known, and against what they promise.
#include "base/rank_test.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(values)       (sizeof(values) / sizeof *(values))
#define TEST_OF(first, second) rank_test(first, COUNT_OF(first), second, COUNT_OF(second))

static void assert_close(double value, double expected, double error) {
    if (!(fabs(value - expected) <= error))
        fail_msg("%.9f, expected %.9f", value, expected);
}

// Permeability of the chorioamnion, Hollander and Wolfe (1973), p. 69: W = 35, one-sided exact
// p = 0.1272.
static void test_a_textbook_example_without_ties(void **state) {
    (void)state;
    static const double first[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    static const double second[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    const RankTest test = TEST_OF(first, second);
    assert_true(test.is_exact);
    assert_close(test.u, 35, 0);
    assert_close(test.p, 2 * 0.1272061, 1e-6);
    assert_close(test.superior, 0.7, 1e-12);
    assert_close(test.delta, 0.4, 1e-12);
}

// Student's data on sleep (Biometrika 1908): with ties, as in R's documentation of sleep: W = 25.5,
// p = 0.06933 by the normal approximation with continuity correction.
static void test_a_textbook_example_with_ties(void **state) {
    (void)state;
    static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    const RankTest test = TEST_OF(first, second);
    assert_false(test.is_exact);
    assert_close(test.u, 25.5, 0);
    assert_close(test.p, 0.06933, 5e-6);
    assert_close(test.superior, 0.255, 1e-12);
}

// Six tortoises and six hares that arrive as T H H H H H T T T T T H: U is 11 and 25.
static void test_a_race_is_counted_by_hand(void **state) {
    (void)state;
    static const double tortoises[] = {12, 6, 5, 4, 3, 2}, hares[] = {11, 10, 9, 8, 7, 1};
    const RankTest test = TEST_OF(tortoises, hares);
    assert_close(test.u, 11, 0);
    assert_close(TEST_OF(hares, tortoises).u, 25, 0);
    assert_close(test.p, TEST_OF(hares, tortoises).p, 0);
}

// Every order of small samples is one of the ways that the exact distribution counts.
static void test_exact_p_counts_all_orders(void **state) {
    (void)state;
    enum { FIRST = 4, SECOND = 5, ALL = FIRST + SECOND };
    double us[1 << ALL];
    size_t count = 0;
    for (unsigned mask = 0; mask < 1U << ALL; mask++) {
        double u = 0;
        if (__builtin_popcount(mask) != FIRST)
            continue;
        for (int i = 0; i < ALL; i++)
            for (int k = 0; k < i; k++)
                u += (mask >> i & 1) != 0 && (mask >> k & 1) == 0;
        us[count++] = u;
    }
    for (unsigned mask = 0; mask < 1U << ALL; mask++) {
        double first[FIRST], second[SECOND];
        size_t one = 0, two = 0, below = 0, above = 0;
        if (__builtin_popcount(mask) != FIRST)
            continue;
        for (int i = 0; i < ALL; i++)
            *((mask >> i & 1) != 0 ? &first[one++] : &second[two++]) = i;
        const RankTest test = TEST_OF(first, second);
        for (size_t i = 0; i < count; i++) {
            below += us[i] <= test.u;
            above += us[i] >= test.u;
        }
        const size_t tail = below < above ? below : above;
        assert_close(test.p, fmin(1, 2.0 * (double)tail / (double)count), 1e-12);
    }
}

static void test_the_least_p(void **state) {
    (void)state;
    assert_close(rank_test_least_p(3, 3), 0.1, 1e-12);
    assert_close(rank_test_least_p(4, 4), 2.0 / 70, 1e-12);
    assert_close(rank_test_least_p(1, 1), 1, 1e-12);
    for (size_t one = 1; one < 8; one++)
        for (size_t two = 1; two < 8; two++) {
            double first[8], second[8];
            for (size_t i = 0; i < 8; i++) {
                first[i] = (double)i;
                second[i] = 100 + (double)i;
            }
            assert_close(rank_test(first, one, second, two).p, rank_test_least_p(one, two), 1e-12);
        }
}

static void test_the_ends_of_what_can_be(void **state) {
    (void)state;
    static const double same[] = {1, 1, 1}, one[] = {2};
    assert_close(TEST_OF(same, same).p, 1, 0);
    assert_close(TEST_OF(same, same).superior, 0.5, 0);
    assert_close(rank_test(same, 0, one, 1).p, 1, 0);
    assert_close(rank_test(same, 3, one, 0).superior, 0.5, 0);
    assert_close(TEST_OF(same, one).superior, 0, 0);
}

static void fill(Rng *rng, double shift, double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = rng_real(rng) + shift;
}

// What is drawn alike is called different once in twenty times at most; what is not, almost always.
static void test_how_often_it_errs(void **state) {
    (void)state;
    enum { ROUNDS = 4000, RUNS = 10 };
    size_t alike = 0, different = 0, extreme = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        double first[RUNS], second[RUNS];
        Rng rng = rng_at(1, round, 0, 0);
        fill(&rng, 0, first, RUNS);
        fill(&rng, 0, second, RUNS);
        alike += TEST_OF(first, second).p <= 0.05;
        extreme += TEST_OF(first, second).p <= 0.01;
        fill(&rng, 0.6, second, RUNS);
        different += TEST_OF(first, second).p <= 0.05;
    }
    assert_true(alike > ROUNDS * 3 / 100 && alike < ROUNDS * 11 / 200);
    assert_true(extreme < ROUNDS * 3 / 200);
    assert_true(different > ROUNDS * 95 / 100);
}

// Where both can be used they agree: a tie far from the middle makes it the approximation.
static void test_the_approximation_is_close_to_the_exact(void **state) {
    (void)state;
    enum { RUNS = 40 };
    for (uint32_t round = 0; round < 50; round++) {
        double first[RUNS + 1], second[RUNS];
        Rng rng = rng_at(2, round, 0, 0);
        fill(&rng, 0.1, first, RUNS);
        fill(&rng, 0, second, RUNS);
        const RankTest exact = rank_test(first, RUNS, second, RUNS);
        first[1] = first[0];
        const RankTest before = rank_test(first, RUNS, second, RUNS);
        first[1] = nextafter(first[0], 2);
        const RankTest after = rank_test(first, RUNS, second, RUNS);
        assert_true(exact.is_exact && !before.is_exact && after.is_exact);
        assert_close(before.p, after.p, 0.01);
    }
}

// As R's quantile(): type 7.
static void test_quantiles(void **state) {
    (void)state;
    double values[] = {4, 1, 3, 2}, none[1] = {0};
    assert_close(rank_quantile(values, 4, 0.25), 1.75, 1e-12);
    assert_close(rank_quantile(values, 4, 0.5), 2.5, 1e-12);
    assert_close(rank_quantile(values, 4, 0.75), 3.25, 1e-12);
    assert_close(rank_quantile(values, 4, 0), 1, 0);
    assert_close(rank_quantile(values, 4, 1), 4, 0);
    assert_true(isnan(rank_quantile(none, 0, 0.5)));
}

// As R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
static void test_holm(void **state) {
    (void)state;
    double p[] = {0.01, 0.04, 0.03, 0.005}, large[] = {0.9, 0.8};
    rank_adjust_holm(p, COUNT_OF(p));
    assert_close(p[0], 0.03, 1e-12);
    assert_close(p[1], 0.06, 1e-12);
    assert_close(p[2], 0.06, 1e-12);
    assert_close(p[3], 0.02, 1e-12);
    rank_adjust_holm(large, COUNT_OF(large));
    assert_close(large[0], 1, 0);
    assert_close(large[1], 1, 0);
    rank_adjust_holm(NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_textbook_example_without_ties),
        cmocka_unit_test(test_a_textbook_example_with_ties),
        cmocka_unit_test(test_a_race_is_counted_by_hand),
        cmocka_unit_test(test_exact_p_counts_all_orders),
        cmocka_unit_test(test_the_least_p),
        cmocka_unit_test(test_the_ends_of_what_can_be),
        cmocka_unit_test(test_how_often_it_errs),
        cmocka_unit_test(test_the_approximation_is_close_to_the_exact),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_holm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
