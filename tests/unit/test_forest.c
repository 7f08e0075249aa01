// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/fen.h"
#include "fitness/forest.h"
#include "fitness/forest_plain.h"
#include "foresting.h"

enum { ORGANISMS = 40 };

static int32_t *draw_organisms(const Family *family, size_t organisms, uint64_t seed) {
    int32_t *all = malloc(organisms * family->coefficient_count * sizeof *all);
    for (size_t i = 0; i < organisms; i++) {
        Rng rng = rng_at(seed, (uint32_t)i, 0, 0);
        int parameters[TERMS_MAX], coefficients[COEFFICIENTS_MAX];
        for (size_t j = 0; j < family->term_count; j++) {
            const Term *term = &family->terms[j];
            // Small values make equal moves more likely.
            const uint32_t range = (uint32_t)(term->high - term->low) + 1;
            parameters[j] = term->low + (int)rng_below(&rng, i % 3 == 0 ? 1 + range / 32 : range);
        }
        family->expand(parameters, coefficients);
        for (size_t j = 0; j < family->coefficient_count; j++)
            all[i * family->coefficient_count + j] = coefficients[j];
    }
    return all;
}

static void compare(const Family *family, const ForestRules *rules, int32_t scale) {
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    family_limits(family, limits);
    family_start(family, guide);
    // Larger limits make positions need lanes of 32 bits.
    for (size_t i = 0; i < family->coefficient_count; i++)
        limits[i] *= scale;
    const ForestConfig config = {family, *rules, limits, guide, 0};
    int32_t *organisms = draw_organisms(family, ORGANISMS, 7);
    bool *marks = malloc(set.count * sizeof *marks);
    for (int threads = 1; threads <= 3; threads += 2) {
        DistPool *pool = dist_pool_new(threads);
        Forest *forest;
        assert_int_equal(forest_compile(&forest, &set, &config, pool), OK);
        const ForestTotals totals = forest_totals(forest);
        assert_int_equal(totals.positions, set.count);
        if (scale > 100)
            assert_true(totals.wide > 0);
        for (int ties = TIES_BY_ORDER; ties <= TIES_LOST; ties++) {
            int64_t hits[ORGANISMS];
            assert_int_equal(
                forest_hits(forest, organisms, ORGANISMS, (ForestTies)ties, pool, hits), OK);
            for (size_t i = 0; i < ORGANISMS; i += 1 + (size_t)(threads > 1) * 9) {
                const int32_t *organism = organisms + i * family->coefficient_count;
                int coefficients[COEFFICIENTS_MAX];
                for (size_t j = 0; j < family->coefficient_count; j++)
                    coefficients[j] = organism[j];
                assert_int_equal(forest_marks(forest, organism, (ForestTies)ties, pool, marks), OK);
                int64_t marked = 0;
                for (size_t j = 0; j < set.count; j++) {
                    marked += marks[j];
                    assert_int_equal(marks[j], forest_plain_hit(&set.items[j], family, coefficients,
                                                                rules, (ForestTies)ties));
                }
                assert_int_equal(marked, hits[i]);
            }
        }
        forest_free(forest);
        dist_pool_free(pool);
    }
    free(marks);
    free(organisms);
}

static void test_the_forest_chooses_what_a_plain_search_does(void **state) {
    (void)state;
    for (size_t i = 0; families[i] != NULL; i++) {
        compare(families[i], &FOREST_RULES_DEFAULT, 1);
        // Tapered families have lanes of 32 bits anyway, and no room to spare.
        if (families[i]->taper == NULL)
            compare(families[i], &FOREST_RULES_DEFAULT, 1000);
        compare(families[i], &(ForestRules){QUIESCENCE_NONE, 0}, 1);
        compare(families[i], &(ForestRules){QUIESCENCE_CHECKS, 4}, 1);
        compare(families[i], &(ForestRules){QUIESCENCE_CAPTURES, 1}, 1);
    }
}

static int set_up(void **state) {
    (void)state;
    walk(6, 700, take_position);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    played_set_free(&set);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_forest_chooses_what_a_plain_search_does),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
