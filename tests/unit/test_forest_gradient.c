// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_gradient.h"
#include "fitness/moves/forest_spill.h"
#include "foresting.h"
#include "sized.h"

#include <math.h>

static const Family *family; // the one under test: a plain one, then a tapered one
static Forest *forest;

static int set_up(void **state) {
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    family = *state;
    walk(8, family->taper == NULL ? SIZED(600, 150) : SIZED(150, 40), take_position);
    family_limits(family, limits);
    family_start(family, guide);
    // Trees of random games are large.
    const ForestRules rules = {QUIESCENCE_CAPTURES, family->taper == NULL ? 3 : 2, 0};
    const ForestConfig config = {.family = family,
                                 .rules = rules,
                                 .limits = limits,
                                 .guide = guide,
                                 .order = ORDER_SEARCHED};
    forest = forest_new(FOREST_CHOICES, &set, &config);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    forest_free(forest);
    played_set_free(&set);
    return 0;
}

static void draw(uint64_t seed, double *coefficients) {
    Rng rng = rng_at(seed, 0, 0, 0);
    // Odd numbers, so that no two moves are worth the same and slopes are smooth nearby.
    for (size_t i = 0; i < family->coefficient_count; i++)
        coefficients[i] = family->terms[i].start * (0.5 + rng_real(&rng)) + rng_real(&rng);
}

static void test_the_slope_is_that_of_the_loss(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(2);
    double coefficients[COEFFICIENTS_MAX], gradient[COEFFICIENTS_MAX], unused[COEFFICIENTS_MAX];
    Slope slope = {.gradient = gradient};
    const double step = 1e-5;
    for (uint64_t seed = 0; seed < (family->taper == NULL ? 4 : 2); seed++) {
        const SlopeKind kind = {seed % 2 == 0 ? LOSS_SURPRISE : LOSS_MISSES, 60};
        draw(seed, coefficients);
        assert_int_equal(forest_slope(forest, coefficients, kind, pool, &slope), OK);
        // Some of many: both weights of a term come up, 7 being odd.
        for (size_t i = 0; i < family->coefficient_count; i += family->taper == NULL ? 1 : 7) {
            Slope up = {.gradient = unused}, down = {.gradient = unused};
            const double middle = coefficients[i];
            coefficients[i] = middle + step;
            assert_int_equal(forest_slope(forest, coefficients, kind, pool, &up), OK);
            coefficients[i] = middle - step;
            assert_int_equal(forest_slope(forest, coefficients, kind, pool, &down), OK);
            coefficients[i] = middle;
            const double expected = (up.loss - down.loss) / (2 * step);
            if (fabs(expected - gradient[i]) > 1e-6 + 1e-3 * fabs(expected))
                fail_msg("term %zu: slope %.9f, expected %.9f", i, gradient[i], expected);
        }
    }
    dist_pool_free(pool);
}

static void test_hits_are_those_of_the_forest(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(1);
    double coefficients[COEFFICIENTS_MAX], gradient[COEFFICIENTS_MAX];
    int32_t whole[COEFFICIENTS_MAX];
    for (uint64_t seed = 0; seed < 5; seed++) {
        Slope slope = {.gradient = gradient};
        int64_t hits;
        draw(seed, coefficients);
        for (size_t i = 0; i < family->coefficient_count; i++) {
            const double high = family->terms[i].high;
            coefficients[i] = floor(coefficients[i] < high ? coefficients[i] : high);
            whole[i] = (int32_t)coefficients[i];
        }
        assert_int_equal(
            forest_slope(forest, coefficients, (SlopeKind){LOSS_SURPRISE, 100}, pool, &slope), OK);
        assert_int_equal(forest_hits(forest, whole, 1, TIES_WON, pool, &hits), OK);
        assert_int_equal(hits, (int64_t)slope.hits);
    }
    dist_pool_free(pool);
}

// Where leaves are equally good the slope is that of one of them: always the same.
static void test_who_walked_before_changes_nothing(void **state) {
    (void)state;
    double start[COEFFICIENTS_MAX], first[COEFFICIENTS_MAX], other[COEFFICIENTS_MAX];
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    const SlopeKind kind = {LOSS_MISSES, 4};
    DistPool *pool = dist_pool_new(2);
    Slope slope = {.gradient = first};
    int64_t hits;
    family_limits(family, limits);
    family_start(family, guide);
    // Whole numbers, by which many leaves are equal.
    for (size_t i = 0; i < family->coefficient_count; i++)
        start[i] = guide[i];
    assert_int_equal(forest_slope(forest, start, kind, pool, &slope), OK);
    for (int way = 0; way < 3; way++) {
        const ForestConfig config = {
            .family = family,
            .rules = {QUIESCENCE_CAPTURES, family->taper == NULL ? 3 : 2, 0},
            .limits = limits,
            .guide = guide,
            .max_bytes = way == 0 ? 0 : 1,
            .folder = way == 2 ? forest_spill_folder() : NULL,
            .order = ORDER_SEARCHED};
        Forest *walked = forest_new(FOREST_CHOICES, &set, &config);
        Slope again = {.gradient = other};
        assert_int_equal(forest_hits(walked, limits, 1, TIES_WON, pool, &hits), OK);
        assert_int_equal(forest_hits(walked, guide, 1, TIES_WON, pool, &hits), OK);
        assert_int_equal(forest_slope(walked, start, kind, pool, &again), OK);
        assert_memory_equal(other, first, family->coefficient_count * sizeof *first);
        assert_memory_equal(&again.loss, &slope.loss, sizeof slope.loss);
        forest_free(walked);
    }
    dist_pool_free(pool);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    double coefficients[COEFFICIENTS_MAX], first[COEFFICIENTS_MAX], other[COEFFICIENTS_MAX];
    const SlopeKind kind = {LOSS_SURPRISE, 60};
    draw(1, coefficients);
    Slope expected = {.gradient = first};
    for (int threads = 1; threads <= 7; threads += 2) {
        DistPool *pool = dist_pool_new(threads);
        Slope found = {.gradient = threads == 1 ? first : other};
        assert_int_equal(forest_slope(forest, coefficients, kind, pool, &found), OK);
        if (threads == 1)
            expected = found;
        assert_memory_equal(&found.loss, &expected.loss, sizeof found.loss);
        assert_memory_equal(found.gradient, first, family->coefficient_count * sizeof *first);
        dist_pool_free(pool);
    }
}

int main(void) {
#define SLOPE_TEST(name, of)                                                                       \
    cmocka_unit_test_prestate_setup_teardown(name, set_up, tear_down, (void *)(uintptr_t)&of)
    const struct CMUnitTest tests[] = {
        SLOPE_TEST(test_the_slope_is_that_of_the_loss, family_maestro),
        SLOPE_TEST(test_hits_are_those_of_the_forest, family_maestro),
        SLOPE_TEST(test_who_walked_before_changes_nothing, family_maestro),
        SLOPE_TEST(test_threads_change_nothing, family_maestro),
        SLOPE_TEST(test_the_slope_is_that_of_the_loss, family_falcon),
        SLOPE_TEST(test_hits_are_those_of_the_forest, family_falcon),
        SLOPE_TEST(test_who_walked_before_changes_nothing, family_falcon),
        SLOPE_TEST(test_threads_change_nothing, family_falcon),
    };
    sized_to_threads("*thread*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
