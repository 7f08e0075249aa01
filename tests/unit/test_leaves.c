// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/forest_gradient.h"
#include "fitness/forest_plain.h"
#include "fitness/leaf_descent.h"
#include "foresting.h"

#include <math.h>

enum { TERMS = 35 };

static const LeavesConfig config = {&family_maestro, {QUIESCENCE_CAPTURES, 6}, 0};

static int set_up(void **state) {
    (void)state;
    walk(2, 300, take_position);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    played_set_free(&set);
    return 0;
}

static void draw(uint64_t seed, int32_t *whole, double *coefficients) {
    Rng rng = rng_at(seed, 0, 0, 0);
    for (size_t i = 0; i < TERMS; i++) {
        whole[i] = family_maestro.terms[i].start / 2 + (int32_t)rng_below(&rng, 40);
        coefficients[i] = whole[i];
    }
}

static Leaves *find(const int32_t *coefficients, const LeavesConfig *rules, int threads) {
    DistPool *pool = dist_pool_new(threads);
    Leaves *leaves = NULL;
    assert_int_equal(leaves_find(&leaves, &set, rules, coefficients, pool), OK);
    dist_pool_free(pool);
    return leaves;
}

static Slope slope_of(const Leaves *leaves, const double *coefficients, SlopeKind kind, int threads,
                      double *gradient) {
    DistPool *pool = dist_pool_new(threads);
    Slope slope = {.gradient = gradient};
    assert_int_equal(leaves_slope(leaves, coefficients, kind, pool, &slope), OK);
    dist_pool_free(pool);
    return slope;
}

static void test_where_they_were_found_the_slope_is_that_of_the_trees(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(1);
    for (int seed = 0; seed < 6; seed++) {
        const LeavesConfig rules = {&family_maestro, {(ForestQuiescence)(seed % 3), 5}, 0};
        const SlopeKind kind = {seed % 2 == 0 ? LOSS_SURPRISE : LOSS_MISSES, 60};
        int32_t whole[TERMS], limits[TERMS];
        double coefficients[TERMS], gradient[TERMS], expected[TERMS];
        Forest *forest;
        family_limits(&family_maestro, limits);
        draw((uint64_t)seed, whole, coefficients);
        const ForestConfig trees = {&family_maestro, rules.rules, limits, whole, 0};
        assert_int_equal(forest_compile(&forest, &set, &trees, pool), OK);
        Leaves *leaves = find(whole, &rules, 1);
        Slope of_trees = {.gradient = expected};
        assert_int_equal(forest_slope(forest, coefficients, kind, pool, &of_trees), OK);
        const Slope found = slope_of(leaves, coefficients, kind, 1, gradient);
        assert_true(fabs(found.loss - of_trees.loss) < 1e-9);
        assert_int_equal(found.hits, of_trees.hits);
        // Where two leaves are worth the same either may be the one: a few slopes differ a little.
        for (size_t i = 0; i < TERMS; i++)
            if (fabs(gradient[i] - expected[i]) > 1e-3)
                fail_msg("term %zu: %.9f, expected %.9f", i, gradient[i], expected[i]);
        leaves_free(leaves);
        forest_free(forest);
    }
    dist_pool_free(pool);
}

static void test_hits_are_those_of_the_plain_search(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        int32_t whole[TERMS];
        double coefficients[TERMS];
        uint64_t hits = 0;
        draw(seed, whole, coefficients);
        for (size_t i = 0; i < set.count; i++)
            hits += forest_plain_hit(&set.items[i], &family_maestro, whole, &config.rules,
                                     TIES_BY_ORDER);
        Leaves *leaves = find(whole, &config, 1);
        const LeavesTotals totals = leaves_totals(leaves);
        assert_int_equal(totals.hits, hits);
        assert_int_equal(totals.positions, set.count);
        leaves_free(leaves);
    }
}

static void test_the_slope_is_that_of_the_loss(void **state) {
    (void)state;
    int32_t whole[TERMS];
    double coefficients[TERMS], gradient[TERMS], unused[TERMS];
    const double step = 1e-4;
    draw(1, whole, coefficients);
    Leaves *leaves = find(whole, &config, 1);
    for (int loss = 0; slope_loss_names[loss] != NULL; loss++) {
        const SlopeKind kind = {(SlopeLoss)loss, 30};
        slope_of(leaves, coefficients, kind, 1, gradient);
        for (size_t i = 0; i < TERMS; i++) {
            const double middle = coefficients[i];
            coefficients[i] = middle + step;
            const double up = slope_of(leaves, coefficients, kind, 1, unused).loss;
            coefficients[i] = middle - step;
            const double down = slope_of(leaves, coefficients, kind, 1, unused).loss;
            coefficients[i] = middle;
            const double expected = (up - down) / (2 * step);
            if (fabs(expected - gradient[i]) > 1e-6 + 1e-4 * fabs(expected))
                fail_msg("term %zu: slope %.9f, expected %.9f", i, gradient[i], expected);
        }
    }
    leaves_free(leaves);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    const SlopeKind kind = {LOSS_MISSES, 10};
    int32_t whole[TERMS];
    double coefficients[TERMS], first[TERMS], other[TERMS];
    draw(2, whole, coefficients);
    Leaves *leaves = find(whole, &config, 1), *again = find(whole, &config, 3);
    const Slope expected = slope_of(leaves, coefficients, kind, 1, first);
    const Slope found = slope_of(again, coefficients, kind, 5, other);
    assert_memory_equal(&found.loss, &expected.loss, sizeof found.loss);
    assert_memory_equal(other, first, sizeof first);
    assert_int_equal(leaves_totals(again).bytes, leaves_totals(leaves).bytes);
    leaves_free(leaves);
    leaves_free(again);
}

static void test_a_limit_on_memory_is_kept(void **state) {
    (void)state;
    LeavesConfig small = config;
    int32_t whole[TERMS];
    double coefficients[TERMS];
    DistPool *pool = dist_pool_new(2);
    Leaves *leaves = NULL;
    small.max_bytes = 1000;
    draw(0, whole, coefficients);
    assert_int_equal(leaves_find(&leaves, &set, &small, whole, pool), ERR_LIMIT);
    assert_null(leaves);
    dist_pool_free(pool);
}

// Moves that some organism would choose are learned; fixed coefficients stay.
static void test_a_descent_finds_the_moves_of_an_organism(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(2);
    int32_t whole[TERMS];
    double low[TERMS], high[TERMS], values[TERMS];
    draw(3, whole, values);
    for (size_t i = 0; i < set.count; i++)
        set.items[i].played =
            forest_plain_choice(&set.items[i].pos, &family_maestro, whole, &config.rules, NULL);
    for (size_t i = 0; i < TERMS; i++) {
        low[i] = 0;
        high[i] = family_maestro.terms[i].high;
        values[i] = family_maestro.terms[i].start;
    }
    low[0] = high[0] = values[0];
    const PlayedSet none = {0};
    const LeafDescent descent = {.leaves = config,
                                 .steps = {60, {LOSS_MISSES, 10}, low, high},
                                 .rounds = 2,
                                 .training = &set,
                                 .validation = &none};
    LeafRound rounds[3];
    unsigned best = 0;
    assert_int_equal(leaf_descent(&descent, pool, values, rounds, &best), OK);
    assert_true(rounds[best].training_hits > rounds[0].training_hits + set.count / 20);
    assert_true(values[0] == family_maestro.terms[0].start);
    for (size_t i = 0; i < TERMS; i++) {
        assert_true(values[i] >= low[i] && values[i] <= high[i]);
        whole[i] = (int32_t)values[i];
    }
    Leaves *leaves = find(whole, &config, 1);
    assert_int_equal(leaves_totals(leaves).hits, rounds[best].training_hits);
    leaves_free(leaves);
    dist_pool_free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_they_were_found_the_slope_is_that_of_the_trees),
        cmocka_unit_test(test_hits_are_those_of_the_plain_search),
        cmocka_unit_test(test_the_slope_is_that_of_the_loss),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_a_limit_on_memory_is_kept),
        cmocka_unit_test(test_a_descent_finds_the_moves_of_an_organism),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
