// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/fen.h"
#include "fitness/moves/forest.h"
#include "fitness/moves/forest_plain.h"
#include "fitness/moves/forest_spill.h"
#include "foresting.h"
#include "sized.h"

#include <signal.h>
#include <sys/resource.h>

// FOREST_PAIRS in the environment asks for more, for make check-long.
static size_t pairs_wanted = SIZED(100000, 20000), organism_count;

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
        family_expand(family, parameters, coefficients);
        for (size_t j = 0; j < family->coefficient_count; j++)
            all[i * family->coefficient_count + j] = coefficients[j];
    }
    return all;
}

static ForestConfig config_for(const Family *family, const ForestRules *rules, int32_t scale,
                               int32_t *limits, int32_t *guide) {
    family_limits(family, limits);
    family_start(family, guide);
    // Larger limits make positions need lanes of 32 bits; these suffice.
    for (size_t i = 0; i < family->coefficient_count; i++)
        limits[i] = limits[i] * (int64_t)scale < 200000 ? limits[i] * scale : 200000;
    return (ForestConfig){.family = family, .rules = *rules, .limits = limits, .guide = guide};
}

static void copy_coefficients(const Family *family, const int32_t *organism, int *out) {
    for (size_t i = 0; i < family->coefficient_count; i++)
        out[i] = organism[i];
}

// One organism on every position, by one way to tell equal moves apart; counts its hits.
static int64_t compare_marks(const Forest *forest, const ForestConfig *config,
                             const int32_t *organism, ForestTies ties, DistPool *pool) {
    bool *marks = malloc(set.count * sizeof *marks);
    int coefficients[COEFFICIENTS_MAX];
    int64_t marked = 0;
    copy_coefficients(config->family, organism, coefficients);
    assert_int_equal(forest_marks(forest, organism, ties, pool, marks), OK);
    for (size_t i = 0; i < set.count; i++) {
        marked += marks[i];
        assert_int_equal(marks[i], forest_plain_hit(&set.items[i], config->family, coefficients,
                                                    &config->rules, ties));
    }
    free(marks);
    return marked;
}

// Every `step`th organism is compared with the plain search; returns how many pairs of an organism
// and a position that were.
static size_t compare_hits(const Forest *forest, const ForestConfig *config,
                           const int32_t *organisms, ForestTies ties, size_t step, DistPool *pool) {
    int64_t *hits = malloc(organism_count * sizeof *hits);
    size_t pairs = 0;
    assert_int_equal(forest_hits(forest, organisms, organism_count, ties, pool, hits), OK);
    for (size_t i = 0; i < organism_count; i += step, pairs += set.count)
        assert_int_equal(compare_marks(forest, config,
                                       organisms + i * config->family->coefficient_count, ties,
                                       pool),
                         hits[i]);
    free(hits);
    return pairs;
}

static size_t compare(const Family *family, const ForestRules *rules, int32_t scale) {
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    const ForestConfig config = config_for(family, rules, scale, limits, guide);
    int32_t *organisms = draw_organisms(family, organism_count, 7);
    size_t pairs = 0;
    for (int threads = 1; threads <= 3; threads += 2) {
        DistPool *pool = dist_pool_new(threads);
        Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
        if (threads == 1)
            pairs = compare_hits(forest, &config, organisms, TIES_BY_ORDER, 1, pool);
        // The plain search has no cuts for these: two organisms each.
        for (int ties = TIES_BY_ORDER; ties <= TIES_LOST && threads > 1; ties++)
            compare_hits(forest, &config, organisms, (ForestTies)ties, organism_count / 2 + 1,
                         pool);
        const ForestTotals totals = forest_totals(forest);
        assert_int_equal(totals.positions, set.count);
        if (scale > 100)
            assert_true(totals.wide > 0);
        forest_free(forest);
        dist_pool_free(pool);
    }
    free(organisms);
    return pairs;
}

static void test_the_forest_chooses_what_a_plain_search_does(void **state) {
    (void)state;
    size_t pairs = 0;
    for (size_t i = 0; families[i] != NULL; i++) {
        // Trees of random games are large, those of many terms most of all.
        const ForestRules deep = {QUIESCENCE_CAPTURES, families[i]->taper == NULL ? 6 : 3, 0};
        pairs += compare(families[i], &deep, 1);
        // Tapered families have lanes of 32 bits anyway, and no room to spare.
        if (families[i]->taper == NULL)
            pairs += compare(families[i], &(ForestRules){QUIESCENCE_CAPTURES, 3, 0}, 200);
        pairs += compare(families[i], &(ForestRules){QUIESCENCE_NONE, 0, 0}, 1);
        pairs += compare(families[i], &(ForestRules){QUIESCENCE_CHECKS, 2, 0}, 1);
        pairs += compare(families[i], &(ForestRules){QUIESCENCE_CAPTURES, 1, 0}, 1);
    }
    // Trees with all replies are larger still: the family with the fewest terms.
    pairs += compare(&family_shannon, &(ForestRules){QUIESCENCE_CAPTURES, 1, 1}, 1);
    print_message("%zu pairs of an organism and a position\n", pairs);
    assert_true(pairs >= pairs_wanted);
}

static void test_plain_hits_are_the_forests(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    DistPool *pool = dist_pool_new(2);
    for (size_t i = 0; families[i] != NULL; i++) {
        const ForestConfig config =
            config_for(families[i], &FOREST_RULES_DEFAULT, 1, limits, guide);
        int32_t *organisms = draw_organisms(families[i], 3, 8);
        int64_t hits[3], plain[3];
        Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
        assert_int_equal(forest_hits(forest, organisms, 3, TIES_BY_ORDER, pool, hits), OK);
        assert_int_equal(
            forest_plain_hits(&set, families[i], &config.rules, organisms, 3, pool, plain), OK);
        assert_memory_equal(hits, plain, sizeof hits);
        forest_free(forest);
        free(organisms);
    }
    dist_pool_free(pool);
}

// --- growing ---

enum { JUDGED = 40, SINGLE = 10 };

// What was grown before, by whom, what had to be forgotten or put on disk and in which order moves
// are tried
// changes no result.
static void test_whatever_has_grown_the_result_is_the_same(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    DistPool *pool = dist_pool_new(2);
    for (size_t i = 0; families[i] != NULL; i++) {
        const Family *family = families[i];
        const ForestRules rules = {QUIESCENCE_CHECKS, family->taper == NULL ? 4 : 2, 0};
        ForestConfig config = config_for(family, &rules, 1, limits, guide);
        int32_t *organisms = draw_organisms(family, JUDGED, 11);
        int64_t expected[JUDGED], hits[JUDGED];
        Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
        assert_int_equal(forest_hits(forest, organisms, JUDGED, TIES_BY_ORDER, pool, expected), OK);
        forest_free(forest);
        for (int way = 0; way < 5; way++) {
            config.max_bytes = way == 0 ? 0 : way % 2 == 1 ? 1 : 100000;
            config.folder = way > 2 ? forest_spill_folder() : NULL;
            config.order = way == 0 ? ORDER_SEARCHED : ORDER_STATIC;
            forest = forest_new(FOREST_CHOICES, &set, &config);
            for (size_t j = 0; j < SINGLE; j++) {
                assert_int_equal(forest_hits(forest, organisms + j * family->coefficient_count, 1,
                                             TIES_BY_ORDER, pool, &hits[j]),
                                 OK);
                assert_int_equal(hits[j], expected[j]);
            }
            assert_int_equal(forest_hits(forest, organisms, JUDGED, TIES_BY_ORDER, pool, hits), OK);
            assert_memory_equal(hits, expected, sizeof hits);
            forest_free(forest);
        }
        free(organisms);
    }
    dist_pool_free(pool);
}

// However many are judged at once, each is judged as if it were alone.
static void test_how_many_are_judged_at_once_changes_nothing(void **state) {
    (void)state;
    enum { MOST = 150 };
    static const size_t counts[] = {1, 2, 31, 32, 33, 64, 65, 100, 128, 129, MOST};
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    DistPool *pool = dist_pool_new(2);
    for (size_t i = 0; families[i] != NULL; i++) {
        const Family *family = families[i];
        const size_t terms = family->coefficient_count;
        const ForestRules rules = {QUIESCENCE_CAPTURES, family->taper == NULL ? 4 : 1, 0};
        const ForestConfig config = config_for(family, &rules, 1, limits, guide);
        int32_t *organisms = draw_organisms(family, MOST, 14);
        int64_t expected[MOST], hits[MOST];
        Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
        for (size_t j = 0; j < MOST; j++)
            assert_int_equal(
                forest_hits(forest, organisms + j * terms, 1, TIES_BY_ORDER, pool, &expected[j]),
                OK);
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            assert_int_equal(forest_hits(forest, organisms, counts[j], TIES_BY_ORDER, pool, hits),
                             OK);
            assert_memory_equal(hits, expected, counts[j] * sizeof *hits);
        }
        forest_free(forest);
        free(organisms);
    }
    dist_pool_free(pool);
}

static void test_trees_grow_where_organisms_look(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    const Family *family = &family_maestro;
    const ForestConfig config = config_for(family, &FOREST_RULES_DEFAULT, 1, limits, guide);
    DistPool *pool = dist_pool_new(1);
    int32_t *organisms = draw_organisms(family, JUDGED, 12);
    int64_t hits[JUDGED];
    Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
    assert_int_equal(forest_totals(forest).nodes, 0);
    assert_int_equal(forest_totals(forest).bytes, 0);
    // The second time, it is known what to try first, and that may ask for a little more.
    for (int time = 0; time < 2; time++)
        assert_int_equal(forest_hits(forest, organisms, 1, TIES_BY_ORDER, pool, hits), OK);
    const ForestTotals one = forest_totals(forest);
    assert_int_equal(forest_hits(forest, organisms, 1, TIES_BY_ORDER, pool, hits), OK);
    const ForestTotals again = forest_totals(forest);
    assert_memory_equal(&again, &one, sizeof one);
    assert_int_equal(forest_hits(forest, organisms, JUDGED, TIES_BY_ORDER, pool, hits), OK);
    const ForestTotals all = forest_totals(forest);
    assert_true(one.nodes > one.moves && all.nodes > one.nodes);
    assert_int_equal(all.moves, one.moves);
    forest_free(forest);
    dist_pool_free(pool);
    free(organisms);
}

static void test_what_is_beyond_the_memory_is_forgotten(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    const Family *family = &family_maestro;
    ForestConfig config = config_for(family, &FOREST_RULES_DEFAULT, 1, limits, guide);
    DistPool *pool = dist_pool_new(3);
    int32_t *organisms = draw_organisms(family, JUDGED, 13);
    int64_t hits[JUDGED];
    config.max_bytes = 50000;
    Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(forest_hits(forest, organisms, JUDGED, TIES_BY_ORDER, pool, hits), OK);
        assert_true(forest_totals(forest).bytes <= config.max_bytes);
    }
    forest_free(forest);
    dist_pool_free(pool);
    free(organisms);
}

// What was put on disk is read, not grown again; and memory stays within its limit.
static void test_what_is_beyond_the_memory_is_on_disk(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    ForestConfig config = config_for(&family_maestro, &FOREST_RULES_DEFAULT, 1, limits, guide);
    DistPool *pool = dist_pool_new(3);
    int32_t *organisms = draw_organisms(&family_maestro, JUDGED, 13);
    int64_t hits[JUDGED];
    size_t moves = 0;
    for (size_t i = 0; i < set.count; i++)
        moves += movegen_count(&set.items[i].pos);
    config.max_bytes = 1000;
    config.folder = forest_spill_folder();
    Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(forest_hits(forest, organisms, JUDGED, TIES_BY_ORDER, pool, hits), OK);
        assert_true(forest_totals(forest).bytes <= config.max_bytes);
        // Each first move was grown once.
        assert_int_equal(forest_totals(forest).moves, moves);
    }
    assert_true(forest_stored(forest) > config.max_bytes);
    forest_free(forest);
    dist_pool_free(pool);
    free(organisms);
}

static void expect_failure(const ForestConfig *config, Status status, const char *words) {
    DistPool *pool = dist_pool_new(2);
    int64_t hits;
    Forest *forest = forest_new(FOREST_CHOICES, &set, config);
    assert_int_equal(forest_hits(forest, config->guide, 1, TIES_WON, pool, &hits), status);
    assert_non_null(strstr(error_message(), words));
    forest_free(forest);
    dist_pool_free(pool);
}

static void test_a_full_disk_is_an_error(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    struct rlimit before;
    ForestConfig config = config_for(&family_maestro, &FOREST_RULES_DEFAULT, 1, limits, guide);
    config.max_bytes = 1;
    config.folder = "/nowhere/at/all";
    expect_failure(&config, ERR_IO, "/nowhere/at/all");
    config.folder = forest_spill_folder();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){20000, before.rlim_max}), 0);
    expect_failure(&config, ERR_IO, "cannot write trees");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

// The values of one forest, organism by organism, against the plain search; and sums of errors
// against sums of those.
static void compare_values(const ForestConfig *config, int threads) {
    const size_t terms = config->family->coefficient_count, count = 35;
    int32_t *organisms = draw_organisms(config->family, count, 9);
    int32_t *values = malloc(set.count * sizeof *values),
            *labels = malloc(set.count * sizeof *labels);
    bool *wanted = malloc(set.count * sizeof *wanted);
    DistPool *pool = dist_pool_new(threads);
    Forest *forest = forest_new(FOREST_VALUES, &set, config);
    int64_t errors[35], some[35];
    for (size_t i = 0; i < set.count; i++) {
        labels[i] = (int32_t)(i * 7919 % 2001) - 1000;
        wanted[i] = i % 3 == 0;
    }
    assert_int_equal(forest_errors(forest, NULL, labels, organisms, count, pool, errors), OK);
    assert_int_equal(forest_errors(forest, wanted, labels, organisms, count, pool, some), OK);
    for (size_t i = 0; i < count; i += 2) {
        int coefficients[COEFFICIENTS_MAX];
        int64_t all = 0, of_some = 0;
        copy_coefficients(config->family, organisms + i * terms, coefficients);
        assert_int_equal(forest_values(forest, organisms + i * terms, pool, values), OK);
        for (size_t j = 0; j < set.count; j++) {
            assert_int_equal(values[j], forest_plain_value(&set.items[j].pos, config->family,
                                                           coefficients, &config->rules));
            all += abs(values[j] - labels[j]);
            of_some += wanted[j] ? abs(values[j] - labels[j]) : 0;
        }
        assert_int_equal(errors[i], all);
        assert_int_equal(some[i], of_some);
    }
    forest_free(forest);
    dist_pool_free(pool);
    free(wanted);
    free(labels);
    free(values);
    free(organisms);
}

static void test_values_are_those_of_a_plain_search(void **state) {
    (void)state;
    static const ForestRules rules[] = {
        {QUIESCENCE_CAPTURES, 6, 0}, {QUIESCENCE_CHECKS, 3, 0}, {QUIESCENCE_NONE, 0, 0}};
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    for (size_t i = 0; families[i] != NULL; i++)
        for (size_t j = 0; j < sizeof rules / sizeof *rules && families[i]->taper == NULL; j++) {
            const ForestConfig config = config_for(families[i], &rules[j], 1, limits, guide);
            compare_values(&config, 1 + (int)j);
        }
}

// Without captures a value is the static score, wherever the game goes on.
static void test_without_captures_a_value_is_the_static_score(void **state) {
    (void)state;
    int coefficients[COEFFICIENTS_MAX];
    const Family *family = &family_maestro;
    int32_t *organism = draw_organisms(family, 1, 3);
    copy_coefficients(family, organism, coefficients);
    for (size_t i = 0; i < set.count; i++) {
        const Position *pos = &set.items[i].pos;
        const int score = family->score(pos, coefficients, NULL);
        assert_int_equal(
            forest_plain_value(pos, family, coefficients, &(ForestRules){QUIESCENCE_NONE, 0, 0}),
            position_turn(pos) == WHITE ? score : -score);
    }
    free(organism);
}

// Positions that were searched for, move by move, so that an organism's score may be large in them.
static void test_no_organism_takes_a_score_for_a_mate(void **state) {
    (void)state;
    static const char *const extreme[] = {
        "2bnnb2/PPPPPPPP/q5q1/4q3/1q5q/5q2/2q1qq2/1k1rBKr1 w - - 0 1",
        "n1R5/3k2K1/3NR3/Q4Q2/p2Q3Q/1Q1pp1Qp/2QQN1Qb/nb1bbb1b w - - 0 1",
        "4q3/k5r1/n4q2/b2q4/n4q2/br5q/p1q1q3/1K4q1 w - - 0 1",
        "b2RqRq1/2R4R/R2qkbRN/1q3RKN/1R4q1/4q3/2q2R2/q2R3q w - - 0 1",
    };
    for (size_t i = 0; families[i] != NULL; i++)
        for (size_t j = 0; j < sizeof extreme / sizeof *extreme; j++) {
            const Family *family = families[i];
            const size_t shares = family->taper == NULL ? 1 : 2;
            int32_t limits[COEFFICIENTS_MAX];
            int64_t most = 0;
            Position pos;
            Trace trace;
            assert_int_equal(fen_parse(extreme[j], &pos), OK);
            family_limits(family, limits);
            family_trace(family, &pos, &trace);
            for (size_t term = 0; term < family->coefficient_count; term++)
                most += (int64_t)abs(trace.counts[term / shares]) * limits[term];
            // A tapered family has the same bounds twice, and shares of both that make one at most.
            // Half as much again is left for positions nobody has found.
            most = most / (int64_t)shares * (shares == 1 ? 1 : family->scale);
            assert_true(most + most / 2 < FOREST_MATE_WORTH);
        }
}

// What memory cannot mend is no lack of it.
static void test_bounds_too_wide_for_32_bits_are_refused(void **state) {
    (void)state;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    int64_t hits;
    DistPool *pool = dist_pool_new(1);
    int32_t *organism = draw_organisms(&family_maestro, 1, 3);
    const ForestConfig config =
        config_for(&family_maestro, &FOREST_RULES_DEFAULT, 1, limits, guide);
    for (size_t i = 0; i < family_maestro.coefficient_count; i++)
        limits[i] = 1 << 29;
    Forest *forest = forest_new(FOREST_CHOICES, &set, &config);
    assert_int_equal(forest_hits(forest, organism, 1, TIES_BY_ORDER, pool, &hits), ERR_ARG);
    assert_non_null(strstr(error_message(), "scores of family maestro may not fit 32 bits"));
    forest_free(forest);
    dist_pool_free(pool);
    free(organism);
}

static int set_up(void **state) {
    (void)state;
    int start[COEFFICIENTS_MAX];
    int32_t guide[COEFFICIENTS_MAX];
    walk(6, SIZED(700, 140), take_position);
    family_start(&family_maestro, guide);
    copy_coefficients(&family_maestro, guide, start);
    // A random move is hardly ever chosen; every second one is what an organism would play.
    for (size_t i = 0; i < set.count; i += 2)
        set.items[i].played = forest_plain_choice(&set.items[i].pos, &family_maestro, start,
                                                  &FOREST_RULES_DEFAULT, NULL);
    if (getenv("FOREST_PAIRS") != NULL)
        pairs_wanted = (size_t)atoll(getenv("FOREST_PAIRS"));
    // Every family by at least four sets of rules.
    size_t count = 0;
    while (families[count] != NULL)
        count++;
    organism_count = pairs_wanted / (4 * count * set.count) + 1;
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
        cmocka_unit_test(test_plain_hits_are_the_forests),
        cmocka_unit_test(test_whatever_has_grown_the_result_is_the_same),
        cmocka_unit_test(test_how_many_are_judged_at_once_changes_nothing),
        cmocka_unit_test(test_trees_grow_where_organisms_look),
        cmocka_unit_test(test_what_is_beyond_the_memory_is_forgotten),
        cmocka_unit_test(test_what_is_beyond_the_memory_is_on_disk),
        cmocka_unit_test(test_a_full_disk_is_an_error),
        cmocka_unit_test(test_values_are_those_of_a_plain_search),
        cmocka_unit_test(test_without_captures_a_value_is_the_static_score),
        cmocka_unit_test(test_no_organism_takes_a_score_for_a_mate),
        cmocka_unit_test(test_bounds_too_wide_for_32_bits_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
