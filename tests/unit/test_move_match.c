// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/move_match.h"

#include "fitness/moves/forest.h"
#include "foresting.h"

static DistPool *pool;

static int64_t forest_count(const Forest *forest, const int32_t *coefficients, ForestTies ties) {
    int64_t hits;
    assert_int_equal(forest_hits(forest, coefficients, 1, ties, pool, &hits), OK);
    return hits;
}

static void assert_parts_add_up(const MoveMatch *match) {
    MatchCount phases = {0}, classes = {0};
    for (int i = 0; i < PHASE_NB; i++) {
        phases.positions += match->phases[i].positions;
        phases.hits += match->phases[i].hits;
    }
    for (int i = 0; i < CLASS_NB; i++) {
        classes.positions += match->classes[i].positions;
        classes.hits += match->classes[i].hits;
    }
    assert_memory_equal(&phases, &match->all, sizeof phases);
    assert_memory_equal(&classes, &match->all, sizeof classes);
}

// Hits and ties are what the forest finds, for organisms of every family.
static void test_the_match_is_the_forest_s(void **state) {
    (void)state;
    const ForestRules rules = {QUIESCENCE_CAPTURES, 1, 0};
    for (size_t f = 0; families[f] != NULL; f++) {
        const Family *family = families[f];
        int32_t limits[COEFFICIENTS_MAX], organism[COEFFICIENTS_MAX];
        int coefficients[COEFFICIENTS_MAX];
        Rng rng = rng_at(3, (uint32_t)f, 0, 0);
        Weights weights;
        MoveMatch match;
        weights_init(&weights, family);
        family_randomize(family, &rng, weights.parameters);
        family_expand(family, weights.parameters, coefficients);
        for (size_t i = 0; i < family->coefficient_count; i++)
            organism[i] = coefficients[i];
        family_limits(family, limits);
        const ForestConfig config = {
            .family = family, .rules = rules, .limits = limits, .guide = organism};
        Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
        assert_int_equal(move_match_weights(&set, &weights, &rules, pool, &match), OK);
        assert_int_equal(match.all.positions, set.count);
        assert_int_equal(match.all.hits, forest_count(forest, organism, TIES_BY_ORDER));
        assert_int_equal(match.ties, forest_count(forest, organism, TIES_WON) -
                                         forest_count(forest, organism, TIES_LOST));
        assert_true(match.mean_rank >= 1);
        assert_parts_add_up(&match);
        forest_free(forest);
        weights_free(&weights);
    }
}

// Where nothing is worth anything all moves are equal, and the first in order is the only hit.
static void test_all_moves_equal(void **state) {
    (void)state;
    const ForestRules rules = {QUIESCENCE_NONE, 0, 0};
    Weights weights;
    MoveMatch match;
    weights_init(&weights, &family_falcon);
    memset(weights.parameters, 0, sizeof weights.parameters);
    assert_int_equal(move_match_weights(&set, &weights, &rules, pool, &match), OK);
    // Mates are better than nothing, and there are hardly any.
    assert_in_range(match.ties, set.count - set.count / 20, set.count);
    assert_true(match.all.hits < match.ties && match.mean_rank > 2);
    weights_free(&weights);
}

static int set_up(void **state) {
    (void)state;
    walk(4, 1000, take_position);
    pool = dist_pool_new(1);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    played_set_free(&set);
    dist_pool_free(pool);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_match_is_the_forest_s),
        cmocka_unit_test(test_all_moves_equal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
