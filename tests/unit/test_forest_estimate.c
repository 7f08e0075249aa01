// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_estimate.h"
#include "foresting.h"

enum { ORGANISMS = 5, SAMPLE = 2000 };

// As many as a sample of the estimate has, each so many times.
static PlayedSet repeat(size_t times) {
    PlayedSet out = {.items = mem_alloc(times * SAMPLE * sizeof *out.items),
                     .count = times * SAMPLE};
    for (size_t i = 0; i < out.count; i++)
        out.items[i] = set.items[i / times % set.count];
    return out;
}

static void draw(const Family *family, size_t organisms, int32_t *out) {
    Rng rng = rng_at(3, 0, 0, 0);
    for (size_t i = 0; i < organisms * family->coefficient_count; i++)
        out[i] = (int32_t)rng_below(&rng, 60);
}

// Of a set twice as large as the sample, each position twice: what the half takes, times two.
static void test_an_estimate_is_what_a_part_of_the_set_takes(void **state) {
    (void)state;
    const Family *family = &family_maestro;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    int32_t organisms[2 * ORGANISMS * COEFFICIENTS_MAX];
    family_limits(family, limits);
    family_start(family, guide);
    draw(family, 2 * ORGANISMS, organisms);
    const ForestConfig config = {
        .family = family, .rules = {QUIESCENCE_CAPTURES, 2, 0}, .limits = limits, .guide = guide};
    CLEANUP(played_set_free) PlayedSet once = repeat(1);
    CLEANUP(played_set_free) PlayedSet twice = repeat(2);
    DistPool *pool = dist_pool_new(1);
    ForestEstimate of_twice, of_once;
    assert_int_equal(forest_estimate(&twice, &config, organisms, ORGANISMS, pool, &of_twice), OK);
    assert_int_equal(forest_estimate(&once, &config, organisms, ORGANISMS, pool, &of_once), OK);
    assert_true(of_twice.bytes == 2 * of_once.bytes);
    assert_true(of_once.first_seconds > 0 && of_once.later_seconds > 0);
    Forest *forest = forest_new(FOREST_CHOICES, &once, &config);
    int64_t hits[ORGANISMS];
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(forest_hits(forest, organisms + i * ORGANISMS * family->coefficient_count,
                                     ORGANISMS, TIES_BY_ORDER, pool, hits),
                         OK);
    assert_true(of_once.bytes == (double)forest_totals(forest).bytes);
    forest_free(forest);
    dist_pool_free(pool);
}

static int set_up(void **state) {
    testing_set_up(state);
    walk(1, 60, take_position);
    return 0;
}

static int tear_down(void **state) {
    played_set_free(&set);
    return testing_tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_estimate_is_what_a_part_of_the_set_takes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
