// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.h"
#include "fitness/moves/forest_file.h"
#include "fitness/moves/forest_gradient.h"
#include "foresting.h"
#include "sized.h"

#include <sys/stat.h>

enum { TERMS = 35, ORGANISMS = 40 };

static int32_t limits[TERMS], guide[TERMS], organisms[ORGANISMS * TERMS];
static DistPool *pool;
static char path[TESTING_PATH];

static ForestConfig config_now(void) {
    return (ForestConfig){&family_maestro, {QUIESCENCE_CAPTURES, 2, 0}, limits, guide, 0};
}

static Status save_and_load(ForestKind kind, Forest **loaded) {
    const ForestConfig config = config_now();
    Forest *forest;
    assert_int_equal(forest_compile_kind(&forest, kind, &set, &config, pool), OK);
    assert_int_equal(forest_save(forest, forest_key(kind, &set, &config), path, pool), OK);
    forest_free(forest);
    return loaded == NULL ? OK : forest_load(loaded, kind, &set, &config, path, pool);
}

static void test_a_kept_forest_gives_the_same(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    Forest *forest, *loaded;
    int64_t expected[ORGANISMS], hits[ORGANISMS];
    assert_int_equal(forest_compile(&forest, &set, &config, pool), OK);
    assert_int_equal(save_and_load(FOREST_CHOICES, &loaded), OK);
    const ForestTotals before = forest_totals(forest), after = forest_totals(loaded);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(forest_hits(forest, organisms, ORGANISMS, TIES_BY_ORDER, pool, expected), OK);
    assert_int_equal(forest_hits(loaded, organisms, ORGANISMS, TIES_BY_ORDER, pool, hits), OK);
    assert_memory_equal(expected, hits, sizeof hits);
    forest_free(forest);
    forest_free(loaded);
}

static void test_values_can_be_kept_too(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    int32_t *labels = calloc(set.count, sizeof *labels);
    int64_t expected[ORGANISMS], errors[ORGANISMS];
    Forest *forest, *loaded;
    assert_int_equal(forest_compile_kind(&forest, FOREST_VALUES, &set, &config, pool), OK);
    assert_int_equal(save_and_load(FOREST_VALUES, &loaded), OK);
    assert_int_equal(forest_errors(forest, NULL, labels, organisms, ORGANISMS, pool, expected), OK);
    assert_int_equal(forest_errors(loaded, NULL, labels, organisms, ORGANISMS, pool, errors), OK);
    assert_memory_equal(expected, errors, sizeof errors);
    forest_free(forest);
    forest_free(loaded);
    free(labels);
}

static void refuse(ForestKind kind, const PlayedSet *other, const ForestConfig *config) {
    Forest *forest;
    assert_int_equal(forest_load(&forest, kind, other, config, path, pool), ERR_PARSE);
}

static void test_a_file_of_anything_else_is_refused(void **state) {
    (void)state;
    ForestConfig config = config_now();
    assert_int_equal(save_and_load(FOREST_CHOICES, NULL), OK);
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
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), OK);
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
    assert_int_equal(save_and_load(FOREST_CHOICES, NULL), OK);
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
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), OK);
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
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), ERR_IO);
}

// --- files that somebody made with care: all hashes are right ---

enum { HEADER_SIZE = 56, ROWS_HASH = 40, HEADER_HASH = 48, ROW_SIZE = 576, CRAFTED = 1000 };

static uint64_t number_at(const Str *file, size_t at) {
    uint64_t number;
    memcpy(&number, file->text + at, sizeof number);
    return number;
}

static void put_number(Str *file, size_t at, uint64_t number) {
    memcpy(file->text + at, &number, sizeof number);
}

// Makes all hashes those of the contents, as far as the rows lead to contents.
static void seal(Str *file, size_t chunks) {
    for (size_t i = 0; i < chunks; i++) {
        const size_t row = HEADER_SIZE + i * ROW_SIZE;
        const uint64_t offset = number_at(file, row), count = number_at(file, row + 8);
        if (offset < file->length && count <= (file->length - offset) / 2)
            put_number(file, row + 16, hash_words(HASH_START, file->text + offset, count * 2));
    }
    put_number(file, ROWS_HASH,
               hash_words(HASH_START, file->text + HEADER_SIZE, chunks * ROW_SIZE));
    put_number(file, HEADER_HASH, hash_bytes(HASH_START, file->text, HEADER_HASH));
}

// Either it is refused, or whatever it holds is run to an end; the sanitizer looks on.
static bool is_refused(const Str *file) {
    const ForestConfig config = config_now();
    Forest *forest;
    int64_t hits[ORGANISMS];
    FILE *out = fopen(path, "wb"); // file_write would wait for the disk
    assert_non_null(out);
    assert_int_equal(fwrite(file->text, 1, file->length, out), file->length);
    assert_int_equal(fclose(out), 0);
    const Status status = forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool);
    if (status != OK) {
        assert_int_equal(status, ERR_PARSE);
        return true;
    }
    Slope slope = {.gradient = calloc(TERMS, sizeof *slope.gradient)};
    double coefficients[TERMS] = {0};
    assert_int_equal(forest_hits(forest, organisms, ORGANISMS, TIES_BY_ORDER, pool, hits), OK);
    assert_int_equal(
        forest_slope(forest, coefficients, (SlopeKind){.temperature = 60}, pool, &slope), OK);
    free(slope.gradient);
    forest_free(forest);
    return false;
}

static void test_crafted_rows_are_refused(void **state) {
    (void)state;
    const size_t chunks = (set.count + 63) / 64;
    static const struct {
        size_t at; // in the row: offset, count, positions, the first place's start and end
        uint64_t value;
    } changes[] = {{0, UINT64_MAX},         {0, UINT64_C(1) << 40},
                   {8, UINT64_MAX / 2},     {8, UINT64_MAX},
                   {8, UINT64_C(1) << 40},  {24, 65},
                   {24, UINT64_MAX},        {24, 0},
                   {56, UINT64_MAX},        {56, 0},
                   {56, UINT64_C(7) << 32}, {56, UINT64_C(9)},
                   {56, UINT64_C(1) << 62}};
    Str whole = {0}, file = {0};
    assert_int_equal(save_and_load(FOREST_CHOICES, NULL), OK);
    assert_int_equal(file_read(path, 1 << 30, &whole), OK);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        str_clear(&file);
        str_append(&file, whole.text, whole.length);
        seal(&file, chunks);
        assert_memory_equal(file.text, whole.text, whole.length);
        put_number(&file, HEADER_SIZE + ROW_SIZE + changes[i].at, changes[i].value);
        seal(&file, chunks);
        assert_true(is_refused(&file));
    }
    str_free(&file);
    str_free(&whole);
}

static void test_crafted_trees_lead_nowhere(void **state) {
    (void)state;
    static const uint16_t values[] = {0, 1, 4, 5, 6, 255, 279, 280, 0x7fff, 0x8000, 0xffff};
    const size_t chunks = (set.count + 63) / 64, words = HEADER_SIZE + chunks * ROW_SIZE;
    Str file = {0};
    size_t refused = 0;
    assert_int_equal(save_and_load(FOREST_CHOICES, NULL), OK);
    assert_int_equal(file_read(path, 1 << 30, &file), OK);
    for (size_t i = 0; i < SIZED(CRAFTED, CRAFTED / 10); i++) {
        Rng rng = rng_at(6, (uint32_t)i, 0, 0);
        const size_t at = words + rng_below(&rng, (uint32_t)(file.length - words - 2) / 2) * 2;
        uint16_t before, after = values[rng_below(&rng, sizeof values / sizeof *values)];
        memcpy(&before, file.text + at, sizeof before);
        memcpy(file.text + at, &after, sizeof after);
        seal(&file, chunks);
        refused += is_refused(&file);
        memcpy(file.text + at, &before, sizeof before);
    }
    assert_true(refused > 0);
    str_free(&file);
}

// What was read is used, whatever becomes of the file.
static void test_a_file_that_is_cut_while_it_is_used(void **state) {
    (void)state;
    Forest *loaded;
    int64_t expected[ORGANISMS], hits[ORGANISMS];
    assert_int_equal(save_and_load(FOREST_CHOICES, &loaded), OK);
    assert_int_equal(forest_hits(loaded, organisms, ORGANISMS, TIES_BY_ORDER, pool, expected), OK);
    static const off_t sizes[] = {10000, 0};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(truncate(path, sizes[i]), 0);
        assert_int_equal(forest_hits(loaded, organisms, ORGANISMS, TIES_BY_ORDER, pool, hits), OK);
        assert_memory_equal(expected, hits, sizeof hits);
    }
    forest_free(loaded);
}

static void test_files_that_others_can_write_are_refused(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    Forest *forest;
    assert_int_equal(save_and_load(FOREST_CHOICES, NULL), OK);
    assert_int_equal(chmod(path, 0646), 0);
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), ERR_ARG);
    assert_non_null(strstr(error_message(), "can be written by everybody"));
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), OK);
    forest_free(forest);
    if (geteuid() != 0) {
        print_message("SKIPPED: only root can give a file away\n");
        skip();
    }
    assert_int_equal(chown(path, 12345, (gid_t)-1), 0);
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), ERR_ARG);
    assert_non_null(strstr(error_message(), "belongs to another user"));
}

static void test_a_pipe_is_no_forest(void **state) {
    (void)state;
    const ForestConfig config = config_now();
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    refuse(FOREST_CHOICES, &set, &config);
}

static void test_a_forest_larger_than_the_memory_is_left(void **state) {
    (void)state;
    ForestConfig config = config_now();
    Forest *forest;
    unlink(path);
    assert_int_equal(save_and_load(FOREST_CHOICES, &forest), OK);
    config.max_bytes = forest_totals(forest).bytes;
    forest_free(forest);
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), OK);
    forest_free(forest);
    config.max_bytes--;
    assert_int_equal(forest_load(&forest, FOREST_CHOICES, &set, &config, path, pool), ERR_LIMIT);
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
        family_expand(&family_maestro, parameters, coefficients);
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
        cmocka_unit_test(test_a_kept_forest_gives_the_same),
        cmocka_unit_test(test_values_can_be_kept_too),
        cmocka_unit_test(test_a_file_of_anything_else_is_refused),
        cmocka_unit_test(test_damage_and_cuts_are_noticed),
        cmocka_unit_test(test_crafted_rows_are_refused),
        cmocka_unit_test(test_crafted_trees_lead_nowhere),
        cmocka_unit_test(test_a_file_that_is_cut_while_it_is_used),
        cmocka_unit_test(test_files_that_others_can_write_are_refused),
        cmocka_unit_test(test_a_pipe_is_no_forest),
        cmocka_unit_test(test_a_forest_larger_than_the_memory_is_left),
    };
    sized_to_threads("test_a_*");
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
