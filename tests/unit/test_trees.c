// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_file.h"
#include "fitness/moves/trees.h"
#include "foresting.h"

#include <inttypes.h>
#include <sys/stat.h>

static DistPool *pool;
static Str told;

static void hear(const char *text) {
    str_addf(&told, "%s\n", text);
}

static TreesOrder order_of(size_t max_bytes) {
    str_clear(&told);
    return (TreesOrder){.family = &family_maestro,
                        .kind = FOREST_CHOICES,
                        .rules = FOREST_RULES_DEFAULT,
                        .max_bytes = max_bytes,
                        .cache = "",
                        .tell = hear};
}

static uint64_t bytes_at(unsigned depth) {
    TreesOrder order = order_of(SIZE_MAX);
    Forest *forest = NULL;
    Str notes = {0};
    order.rules.depth = depth;
    assert_int_equal(trees_compile(&order, &set, 1, pool, &forest, &notes), OK);
    assert_int_equal(notes.length, 0);
    assert_int_equal(order.rules.depth, depth);
    const uint64_t bytes = forest_totals(forest).bytes;
    forest_free(forest);
    str_free(&notes);
    return bytes;
}

static void test_the_size_is_told_beforehand(void **state) {
    (void)state;
    bytes_at(6);
    assert_non_null(strstr(str_text(&told), "will take about"));
}

static void test_too_little_memory_lowers_the_depth_and_says_so(void **state) {
    (void)state;
    for (unsigned depth = 0; depth < 3; depth++) {
        // Just enough for this depth, too little for the next.
        const uint64_t enough = bytes_at(depth);
        assert_true(bytes_at(depth + 1) > enough);
        TreesOrder order = order_of(enough);
        Forest *forest = NULL;
        Str notes = {0};
        assert_int_equal(trees_compile(&order, &set, 1, pool, &forest, &notes), OK);
        assert_int_equal(order.rules.depth, depth);
        assert_int_equal(forest_totals(forest).bytes, enough);
        assert_non_null(strstr(str_text(&told), "more than"));
        assert_non_null(strstr(str_text(&notes), "instead of 6"));
        forest_free(forest);
        str_free(&notes);
    }
}

static void test_two_sets_share_the_memory_and_the_depth(void **state) {
    (void)state;
    PlayedSet sets[2] = {set, set};
    Forest *forests[2] = {0};
    Str notes = {0};
    TreesOrder order = order_of(2 * bytes_at(2));
    assert_int_equal(trees_compile(&order, sets, 2, pool, forests, &notes), OK);
    assert_int_equal(order.rules.depth, 2);
    assert_int_equal(forest_totals(forests[0]).bytes, forest_totals(forests[1]).bytes);
    forest_free(forests[0]);
    forest_free(forests[1]);
    str_free(&notes);
}

static void test_what_fits_at_no_depth_is_refused(void **state) {
    (void)state;
    TreesOrder order = order_of(bytes_at(0) / 2);
    Forest *forest = NULL;
    Str notes = {0};
    assert_int_equal(trees_compile(&order, &set, 1, pool, &forest, &notes), ERR_LIMIT);
    assert_non_null(strstr(error_message(), "max-memory"));
    assert_null(forest);
    str_free(&notes);
}

// Every fourth position, which is what a sample of 2,048 takes, has a large tree.
static void fill_unevenly(PlayedSet *uneven) {
    Position large, small;
    Move moves[MOVES_MAX];
    assert_int_equal(fen_parse(walk_starts[1], &large), OK);
    assert_int_equal(fen_parse("8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", &small), OK);
    uneven->count = 2048;
    uneven->items = mem_alloc_zero(uneven->count, sizeof *uneven->items);
    for (size_t i = 0; i < uneven->count; i++) {
        const Position *pos = i % 4 == 0 ? &large : &small;
        (void)movegen(pos, MOVES_ALL, moves);
        uneven->items[i] = (PlayedItem){.pos = *pos, .played = moves[0]};
    }
}

// An estimate that is far too large lowers the depth, whether or not the trees were kept before.
static void test_kept_trees_do_not_change_the_depth(void **state) {
    (void)state;
    PlayedSet uneven = {0};
    uint64_t bytes = 0;
    fill_unevenly(&uneven);
    for (int round = 0; round < 3; round++) {
        TreesOrder order = order_of(round == 0 ? SIZE_MAX : bytes);
        Forest *forest = NULL;
        Str notes = {0};
        order.rules.depth = 1;
        order.cache = round == 1 ? "" : testing_directory;
        assert_int_equal(trees_compile(&order, &uneven, 1, pool, &forest, &notes), OK);
        bytes = round == 0 ? forest_totals(forest).bytes : bytes;
        assert_int_equal(order.rules.depth, round == 0 ? 1 : 0);
        forest_free(forest);
        str_free(&notes);
    }
    played_set_free(&uneven);
}

static Forest *compile_kept(void) {
    TreesOrder order = order_of(SIZE_MAX);
    Forest *forest = NULL;
    Str notes = {0};
    order.rules.depth = 1;
    order.cache = testing_directory;
    assert_int_equal(trees_compile(&order, &set, 1, pool, &forest, &notes), OK);
    str_free(&notes);
    return forest;
}

// Trees that others can have written are neither used nor replaced.
static void test_trees_of_others_are_left_alone(void **state) {
    (void)state;
    char path[TESTING_PATH];
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    family_limits(&family_maestro, limits);
    family_start(&family_maestro, guide);
    const ForestConfig config = {&family_maestro, {QUIESCENCE_CAPTURES, 1, 0}, limits, guide, 0};
    snprintf(path, sizeof path, "%s/%016" PRIx64 ".trees", testing_directory,
             forest_key(FOREST_CHOICES, &set, &config));
    forest_free(compile_kept());
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    forest_free(compile_kept());
    assert_null(strstr(str_text(&told), "will take about"));
    assert_int_equal(chmod(path, 0666), 0);
    forest_free(compile_kept());
    assert_non_null(strstr(str_text(&told), "can be written by everybody; the trees are compiled"));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
}

static int set_up(void **state) {
    testing_set_up(state);
    walk(4, 250, take_position);
    pool = dist_pool_new(2);
    return 0;
}

static int tear_down(void **state) {
    str_free(&told);
    dist_pool_free(pool);
    played_set_free(&set);
    return testing_tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_size_is_told_beforehand),
        cmocka_unit_test(test_too_little_memory_lowers_the_depth_and_says_so),
        cmocka_unit_test(test_two_sets_share_the_memory_and_the_depth),
        cmocka_unit_test(test_what_fits_at_no_depth_is_refused),
        cmocka_unit_test(test_kept_trees_do_not_change_the_depth),
        cmocka_unit_test(test_trees_of_others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
