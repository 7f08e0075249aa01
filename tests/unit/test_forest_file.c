// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/forest_file.h"
#include "foresting.h"

enum { TERMS = 35, ORGANISMS = 40 };

static int32_t limits[TERMS], guide[TERMS], organisms[ORGANISMS * TERMS];
static DistPool *pool;
static char path[TESTING_PATH];

static ForestConfig config_now(void) {
    return (ForestConfig){&family_maestro, {QUIESCENCE_CAPTURES, 2, 0}, limits, guide, 0};
}

static Status save_and_map(ForestKind kind, Forest **mapped) {
    const ForestConfig config = config_now();
    Forest *forest;
    assert_int_equal(forest_compile_kind(&forest, kind, &set, &config, pool), OK);
    assert_int_equal(forest_save(forest, forest_key(kind, &set, &config), path, pool), OK);
    forest_free(forest);
    return mapped == NULL ? OK : forest_map(mapped, kind, &set, &config, path, pool);
}

static void test_a_mapped_forest_gives_the_same(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    Forest *forest, *mapped;
    int64_t expected[ORGANISMS], hits[ORGANISMS];
    assert_int_equal(forest_compile(&forest, &set, &config, pool), OK);
    assert_int_equal(save_and_map(FOREST_CHOICES, &mapped), OK);
    const ForestTotals before = forest_totals(forest), after = forest_totals(mapped);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(forest_hits(forest, organisms, ORGANISMS, TIES_BY_ORDER, pool, expected), OK);
    assert_int_equal(forest_hits(mapped, organisms, ORGANISMS, TIES_BY_ORDER, pool, hits), OK);
    assert_memory_equal(expected, hits, sizeof hits);
    forest_free(forest);
    forest_free(mapped);
}

static void test_values_can_be_kept_too(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    int32_t *labels = calloc(set.count, sizeof *labels);
    int64_t expected[ORGANISMS], errors[ORGANISMS];
    Forest *forest, *mapped;
    assert_int_equal(forest_compile_kind(&forest, FOREST_VALUES, &set, &config, pool), OK);
    assert_int_equal(save_and_map(FOREST_VALUES, &mapped), OK);
    assert_int_equal(forest_errors(forest, NULL, labels, organisms, ORGANISMS, pool, expected), OK);
    assert_int_equal(forest_errors(mapped, NULL, labels, organisms, ORGANISMS, pool, errors), OK);
    assert_memory_equal(expected, errors, sizeof errors);
    forest_free(forest);
    forest_free(mapped);
    free(labels);
}

static void refuse(ForestKind kind, const PlayedSet *other, const ForestConfig *config) {
    Forest *forest;
    assert_int_equal(forest_map(&forest, kind, other, config, path, pool), ERR_PARSE);
}

static void test_a_file_of_anything_else_is_refused(void **state) {
    (void)state;
    ForestConfig config = config_now();
    assert_int_equal(save_and_map(FOREST_CHOICES, NULL), OK);
    refuse(FOREST_VALUES, &set, &config);
    config.rules.depth = 3;
    refuse(FOREST_CHOICES, &set, &config);
    config = config_now();
    config.rules.quiescence = QUIESCENCE_CHECKS;
    refuse(FOREST_CHOICES, &set, &config);
    config = config_now();
    refuse(FOREST_CHOICES, &set,
           &(ForestConfig){&family_vazquez, config.rules, (int32_t[COEFFICIENTS_MAX]){0},
                           (int32_t[COEFFICIENTS_MAX]){0}, 0});
    limits[3]++;
    refuse(FOREST_CHOICES, &set, &config);
    limits[3]--;
    guide[5]++;
    refuse(FOREST_CHOICES, &set, &config);
    guide[5]--;
    PlayedSet fewer = set;
    fewer.count--;
    refuse(FOREST_CHOICES, &fewer, &config);
    // The same position, another move.
    const Move before = set.items[9].played;
    Move moves[MOVES_MAX];
    movegen(&set.items[9].pos, MOVES_ALL, moves);
    set.items[9].played = moves[0] == before ? moves[1] : moves[0];
    refuse(FOREST_CHOICES, &set, &config);
    set.items[9].played = before;
    Forest *forest;
    assert_int_equal(forest_map(&forest, FOREST_CHOICES, &set, &config, path, pool), OK);
    forest_free(forest);
}

// Changes a bit of the file where it lies.
static void flip(size_t at, unsigned bit) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, (long)at, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, (long)at, SEEK_SET);
    fputc(byte ^ 1 << bit, file);
    assert_int_equal(fclose(file), 0);
}

static void test_damage_and_cuts_are_noticed(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    Str whole = {0};
    assert_int_equal(save_and_map(FOREST_CHOICES, NULL), OK);
    assert_int_equal(file_read(path, 1 << 30, &whole), OK);
    // Bytes between the last word and the end of its eight mean nothing, and are not looked at.
    const size_t length = whole.length - 8;
    for (size_t i = 0; i < 300; i++) {
        Rng rng = rng_at(5, (uint32_t)i, 0, 0);
        // The front of the file, where every byte has a meaning of its own, and then anywhere.
        const size_t at = i < 100 ? i : rng_below(&rng, (uint32_t)length);
        const unsigned bit = rng_below(&rng, 8);
        flip(at, bit);
        refuse(FOREST_CHOICES, &set, &config);
        flip(at, bit);
    }
    Forest *forest;
    assert_int_equal(forest_map(&forest, FOREST_CHOICES, &set, &config, path, pool), OK);
    forest_free(forest);
    static const size_t cuts[] = {0, 1, 55, 56, 1000};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        assert_int_equal(file_write(path, whole.text, cuts[i]), OK);
        refuse(FOREST_CHOICES, &set, &config);
        assert_int_equal(file_write(path, whole.text, whole.length - 1 - cuts[i]), OK);
        refuse(FOREST_CHOICES, &set, &config);
    }
    str_free(&whole);
    unlink(path);
    assert_int_equal(forest_map(&forest, FOREST_CHOICES, &set, &config, path, pool), ERR_IO);
}

static int set_up(void **state) {
    int32_t *organism = organisms;
    walk(3, 300, take_position);
    family_limits(&family_maestro, limits);
    family_start(&family_maestro, guide);
    for (size_t i = 0; i < ORGANISMS; i++, organism += TERMS) {
        Rng rng = rng_at(1, (uint32_t)i, 0, 0);
        int parameters[TERMS_MAX], coefficients[COEFFICIENTS_MAX];
        family_randomize(&family_maestro, &rng, parameters);
        family_maestro.expand(parameters, coefficients);
        for (size_t j = 0; j < TERMS; j++)
            organism[j] = coefficients[j];
    }
    pool = dist_pool_new(2);
    const int failed = testing_set_up(state);
    testing_path(path, "kept.trees");
    return failed;
}

static int tear_down(void **state) {
    dist_pool_free(pool);
    played_set_free(&set);
    return testing_tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mapped_forest_gives_the_same),
        cmocka_unit_test(test_values_can_be_kept_too),
        cmocka_unit_test(test_a_file_of_anything_else_is_refused),
        cmocka_unit_test(test_damage_and_cuts_are_noticed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
