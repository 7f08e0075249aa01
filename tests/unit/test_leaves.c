// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_gradient.h"
#include "fitness/moves/forest_plain.h"
#include "fitness/moves/leaf_descent.h"
#include "foresting.h"
#include "sized.h"

#include <math.h>

// The family under test is a plain one, then a tapered one.
static LeavesConfig config = {.family = &family_maestro, .rules = {QUIESCENCE_CAPTURES, 6, 0}};

static size_t terms(void) {
    return config.family->coefficient_count;
}

static int set_up(void **state) {
    config.family = *state;
    walk(2, config.family->taper == NULL ? SIZED(300, 150) : 70, take_position);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    played_set_free(&set);
    return 0;
}

static void draw(uint64_t seed, int32_t *whole, double *coefficients) {
    Rng rng = rng_at(seed, 0, 0, 0);
    for (size_t i = 0; i < terms(); i++) {
        whole[i] = config.family->terms[i].start / 2 + (int32_t)rng_below(&rng, 40);
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
        const LeavesConfig rules = {.family = config.family,
                                    .rules = {(ForestQuiescence)(seed % 3), 3, 0}};
        const SlopeKind kind = {seed % 2 == 0 ? LOSS_SURPRISE : LOSS_MISSES, 60};
        int32_t whole[COEFFICIENTS_MAX], limits[COEFFICIENTS_MAX];
        double coefficients[COEFFICIENTS_MAX], gradient[COEFFICIENTS_MAX],
            expected[COEFFICIENTS_MAX];
        family_limits(config.family, limits);
        draw((uint64_t)seed, whole, coefficients);
        const ForestConfig trees = {.family = config.family,
                                    .rules = rules.rules,
                                    .limits = limits,
                                    .guide = whole,
                                    .order = ORDER_SEARCHED};
        Forest *forest = forest_new(FOREST_CHOICES, &set, &trees);
        Leaves *leaves = find(whole, &rules, 1);
        Slope of_trees = {.gradient = expected};
        assert_int_equal(forest_slope(forest, coefficients, kind, pool, &of_trees), OK);
        const Slope found = slope_of(leaves, coefficients, kind, 1, gradient);
        assert_true(fabs(found.loss - of_trees.loss) < 1e-9);
        assert_int_equal(found.hits, of_trees.hits);
        // Where two leaves are worth the same either may be the one: a few slopes differ a little.
        for (size_t i = 0; i < terms(); i++)
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
        int32_t whole[COEFFICIENTS_MAX];
        double coefficients[COEFFICIENTS_MAX];
        uint64_t hits = 0;
        draw(seed, whole, coefficients);
        for (size_t i = 0; i < set.count; i++)
            hits +=
                forest_plain_hit(&set.items[i], config.family, whole, &config.rules, TIES_BY_ORDER);
        Leaves *leaves = find(whole, &config, 1);
        const LeavesTotals totals = leaves_totals(leaves);
        assert_int_equal(totals.hits, hits);
        assert_int_equal(totals.positions, set.count);
        leaves_free(leaves);
        for (int threads = 1; threads <= 2; threads++) {
            DistPool *pool = dist_pool_new(threads);
            uint64_t counted;
            assert_int_equal(leaves_count_hits(&set, &config, whole, pool, &counted), OK);
            assert_int_equal(counted, hits);
            dist_pool_free(pool);
        }
    }
}

// The counts behind a move and its line, less those of the position: squares by hand.
static void add_reach(const PlayedItem *item, const ForestScores *scores, size_t place,
                      double *squares, double *counts) {
    const Family *family = config.family;
    const size_t width = family->taper == NULL ? 1 : 2;
    const ForestLine *line = &scores->lines[place];
    Trace root, leaf = {0};
    Position end = item->pos;
    Undo undo;
    if (line->end == END_MATE)
        return;
    position_make(&end, scores->moves[place], &undo);
    for (size_t i = 0; i < line->count; i++)
        position_make(&end, line->moves[i], &undo);
    family_trace(family, &item->pos, &root);
    if (line->end != END_STALEMATE)
        family_trace(family, &end, &leaf);
    const Taper taper = width == 1 ? (Taper){1, 0} : family->taper(&end);
    const double scale = width == 1 ? 1 : family->scale;
    for (size_t i = 0; i < terms(); i++) {
        const int share = i % width == 0 ? taper.middlegame : taper.endgame;
        const int change = leaf.counts[i / width] - root.counts[i / width];
        squares[i] += change * share / scale * (change * share / scale);
        counts[i] += change * share != 0;
    }
}

static void test_the_reach_is_of_what_moves_change(void **state) {
    (void)state;
    static ForestScores scores;
    int32_t whole[COEFFICIENTS_MAX];
    double squares[COEFFICIENTS_MAX] = {0}, counts[COEFFICIENTS_MAX] = {0}, reach[COEFFICIENTS_MAX];
    draw(5, whole, reach);
    Leaves *leaves = find(whole, &config, 1);
    leaves_reach(leaves, reach);
    leaves_free(leaves);
    for (size_t i = 0; i < set.count; i++) {
        forest_plain_scores(&set.items[i].pos, config.family, whole, &config.rules, NULL, &scores);
        for (size_t place = 0; place < scores.count; place++)
            add_reach(&set.items[i], &scores, place, squares, counts);
    }
    for (size_t i = 0; i < terms(); i++) {
        const double wanted = counts[i] > 0 ? sqrt(squares[i] / counts[i]) : 0;
        assert_true(fabs(reach[i] - wanted) <= 1e-9 * (1 + wanted));
    }
}

static void test_the_slope_is_that_of_the_loss(void **state) {
    (void)state;
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX], gradient[COEFFICIENTS_MAX], unused[COEFFICIENTS_MAX];
    const double step = 1e-4;
    draw(1, whole, coefficients);
    Leaves *leaves = find(whole, &config, 1);
    for (int loss = 0; slope_loss_names[loss] != NULL; loss++) {
        const SlopeKind kind = {(SlopeLoss)loss, 30};
        slope_of(leaves, coefficients, kind, 1, gradient);
        // Some of many: both weights of a term come up, 7 being odd.
        for (size_t i = 0; i < terms(); i += config.family->taper == NULL ? 1 : 7) {
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
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX], first[COEFFICIENTS_MAX], other[COEFFICIENTS_MAX];
    draw(2, whole, coefficients);
    Leaves *leaves = find(whole, &config, 1), *again = find(whole, &config, 3);
    const Slope expected = slope_of(leaves, coefficients, kind, 1, first);
    const Slope found = slope_of(again, coefficients, kind, 5, other);
    assert_memory_equal(&found.loss, &expected.loss, sizeof found.loss);
    assert_memory_equal(other, first, terms() * sizeof *first);
    assert_int_equal(leaves_totals(again).bytes, leaves_totals(leaves).bytes);
    leaves_free(leaves);
    leaves_free(again);
}

// Counting positions is the same as a set that has them so often.
static void test_counted_positions_are_those_of_a_set_that_repeats_them(void **state) {
    (void)state;
    const SlopeKind kind = {LOSS_SURPRISE, 60};
    const PlayedSet whole_set = set;
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX], first[COEFFICIENTS_MAX], other[COEFFICIENTS_MAX];
    uint32_t *counts = mem_alloc(set.count * sizeof *counts);
    PlayedSet repeated = {.items = mem_alloc(3 * set.count * sizeof *set.items)};
    Rng rng = rng_at(8, 0, 0, 0);
    DistPool *pool = dist_pool_new(2);
    draw(2, whole, coefficients);
    Leaves *leaves = find(whole, &config, 1);
    for (size_t i = 0; i < set.count; i++) {
        counts[i] = rng_below(&rng, 4);
        for (uint32_t k = 0; k < counts[i]; k++)
            repeated.items[repeated.count++] = set.items[i];
    }
    set = repeated;
    Leaves *expected_leaves = find(whole, &config, 1);
    set = whole_set;
    const Slope expected = slope_of(expected_leaves, coefficients, kind, 1, first);
    const LeavesCounted counted = {leaves, counts};
    Slope found = {.gradient = other};
    assert_int_equal(leaves_counted_slope(&counted, coefficients, kind, pool, &found), OK);
    assert_int_equal(found.hits, expected.hits);
    assert_true(fabs(found.loss - expected.loss) < 1e-9);
    for (size_t i = 0; i < terms(); i++)
        assert_true(fabs(first[i] - other[i]) < 1e-9);
    leaves_free(leaves);
    leaves_free(expected_leaves);
    dist_pool_free(pool);
    free(repeated.items);
    free(counts);
}

// Leaves of the set over and over, so that there are several chunks; in parts of so many positions.
enum { REPEATED = 700 };
static Leaves *find_in_parts(const int32_t *coefficients, size_t step_positions) {
    const PlayedSet whole_set = set;
    LeavesConfig parted = config;
    parted.step_positions = step_positions;
    set = (PlayedSet){.items = mem_alloc(REPEATED * sizeof *set.items), .count = REPEATED};
    for (size_t i = 0; i < REPEATED; i++)
        set.items[i] = whole_set.items[i % whole_set.count];
    Leaves *leaves = find(coefficients, &parted, 2);
    free(set.items);
    set = whole_set;
    return leaves;
}

// The slopes of all parts, by how many positions each has, are the slope of all.
static void test_parts_add_up_to_the_whole(void **state) {
    (void)state;
    const SlopeKind kind = {LOSS_SURPRISE, 60};
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX], all[COEFFICIENTS_MAX], gradient[COEFFICIENTS_MAX],
        sum[COEFFICIENTS_MAX] = {0};
    DistPool *pool = dist_pool_new(2);
    draw(2, whole, coefficients);
    Leaves *leaves = find_in_parts(whole, REPEATED / 2);
    const Slope expected = slope_of(leaves, coefficients, kind, 1, all);
    const SlopeSource source = leaves_slope_source(leaves);
    uint64_t hits = 0;
    assert_int_equal(source.parts, 2);
    for (size_t part = 0; part < source.parts; part++) {
        Slope found = {.gradient = gradient};
        assert_int_equal(source.at(source.self, part, coefficients, kind, pool, &found), OK);
        hits += found.hits;
        for (size_t i = 0; i < terms(); i++)
            sum[i] += gradient[i] * (double)leaves_part_positions(leaves, part);
    }
    assert_int_equal(hits, expected.hits);
    for (size_t i = 0; i < terms(); i++)
        assert_true(fabs(sum[i] / REPEATED - all[i]) < 1e-9);
    dist_pool_free(pool);
    leaves_free(leaves);
}

// Few positions are one part, and no part is empty.
static void test_parts_have_positions(void **state) {
    (void)state;
    const size_t leasts[] = {0, REPEATED / 2 + 1, REPEATED + 1, 1};
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX];
    draw(2, whole, coefficients);
    for (size_t i = 0; i < sizeof leasts / sizeof leasts[0]; i++) {
        Leaves *leaves = find_in_parts(whole, leasts[i]);
        const SlopeSource source = leaves_slope_source(leaves);
        assert_true(leasts[i] == 1 ? source.parts > 1 : source.parts == 1);
        for (size_t part = 0; part < source.parts; part++)
            assert_true(leaves_part_positions(leaves, part) > 0);
        leaves_free(leaves);
    }
}

static void test_a_limit_on_memory_is_kept(void **state) {
    (void)state;
    LeavesConfig small = config;
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX];
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
    int32_t whole[COEFFICIENTS_MAX];
    double low[COEFFICIENTS_MAX], high[COEFFICIENTS_MAX], values[COEFFICIENTS_MAX];
    draw(3, whole, values);
    for (size_t i = 0; i < set.count; i++)
        set.items[i].played =
            forest_plain_choice(&set.items[i].pos, config.family, whole, &config.rules, NULL);
    for (size_t i = 0; i < terms(); i++) {
        low[i] = 0;
        high[i] = config.family->terms[i].high;
        values[i] = config.family->terms[i].start;
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
    assert_true(values[0] == config.family->terms[0].start);
    for (size_t i = 0; i < terms(); i++) {
        assert_true(values[i] >= low[i] && values[i] <= high[i]);
        whole[i] = (int32_t)values[i];
    }
    Leaves *leaves = find(whole, &config, 1);
    assert_int_equal(leaves_totals(leaves).hits, rounds[best].training_hits);
    leaves_free(leaves);
    dist_pool_free(pool);
}

int main(void) {
#define LEAVES_TEST(name, of)                                                                      \
    cmocka_unit_test_prestate_setup_teardown(name, set_up, tear_down, (void *)(uintptr_t)&of)
    const struct CMUnitTest tests[] = {
        LEAVES_TEST(test_where_they_were_found_the_slope_is_that_of_the_trees, family_maestro),
        LEAVES_TEST(test_hits_are_those_of_the_plain_search, family_maestro),
        LEAVES_TEST(test_the_reach_is_of_what_moves_change, family_maestro),
        LEAVES_TEST(test_the_slope_is_that_of_the_loss, family_maestro),
        LEAVES_TEST(test_threads_change_nothing, family_maestro),
        LEAVES_TEST(test_counted_positions_are_those_of_a_set_that_repeats_them, family_maestro),
        LEAVES_TEST(test_parts_add_up_to_the_whole, family_maestro),
        LEAVES_TEST(test_parts_have_positions, family_maestro),
        LEAVES_TEST(test_a_limit_on_memory_is_kept, family_maestro),
        LEAVES_TEST(test_a_descent_finds_the_moves_of_an_organism, family_maestro),
        LEAVES_TEST(test_where_they_were_found_the_slope_is_that_of_the_trees, family_falcon),
        LEAVES_TEST(test_hits_are_those_of_the_plain_search, family_falcon),
        LEAVES_TEST(test_the_reach_is_of_what_moves_change, family_falcon),
        LEAVES_TEST(test_the_slope_is_that_of_the_loss, family_falcon),
        LEAVES_TEST(test_threads_change_nothing, family_falcon),
        LEAVES_TEST(test_counted_positions_are_those_of_a_set_that_repeats_them, family_falcon),
        LEAVES_TEST(test_parts_add_up_to_the_whole, family_falcon),
        LEAVES_TEST(test_a_limit_on_memory_is_kept, family_falcon),
        LEAVES_TEST(test_a_descent_finds_the_moves_of_an_organism, family_falcon),
    };
    sized_to_threads("*thread*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
