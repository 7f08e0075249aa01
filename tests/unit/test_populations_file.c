// SPDX-License-Identifier: GPL-3.0-or-later
// populations.csv of a run: which generations and organisms it has, and that what a kill leaves of
// it, anywhere, goes on to the same bytes.
#include "run/files/populations_file.h"

#include "base/rng.h"
#include "evolve/selection.h"
#include "testing.h"

#include <inttypes.h>

enum { WIDTH = 4, COUNT = 9, GENERATIONS = 7, BYTES_MOST = 1 << 20 };

static const EvolveParameter parameters[WIDTH] = {
    {"PAWN", 0, 200, 0}, {"FIXED", 100, 100, 0}, {"REAL", -0.5, 0.5, 0}, {"FAR", 1e6, 1e7, 0}};
static const EvolveSpace space = {parameters, WIDTH, EVOLVE_REAL, true};

// A generation like any other: organisms and their scores.
static void fill(uint32_t generation, double *organisms, int64_t *scores, double *figures) {
    Rng rng = rng_at(8, generation, 0, 0);
    for (size_t i = 0; i < COUNT; i++) {
        space_randomize(&space, &rng, organisms + i * WIDTH);
        scores[i] = -(int64_t)rng_below(&rng, 20);
        figures[i] = (double)-scores[i] / 2;
    }
}

static Status go_on(const PopulationsConfig *config, uint32_t from, uint32_t until) {
    PopulationsFile file;
    Status status = populations_open(&file, testing_directory, &space, config, from);
    for (uint32_t i = from; i < until && status == OK; i++) {
        double organisms[COUNT * WIDTH], figures[COUNT];
        int64_t scores[COUNT];
        fill(i, organisms, scores, figures);
        const EvolveBatch batch = {organisms, COUNT, WIDTH, i};
        status = populations_add(&file, &batch, scores, figures);
    }
    if (status == OK)
        status = populations_sync(&file);
    const Status closed = populations_close(&file);
    return status != OK ? status : closed;
}

static void path_of_file(char out[TESTING_PATH]) {
    testing_path(out, "populations.csv");
}

static Str read_file(void) {
    char path[TESTING_PATH];
    Str text = {0};
    path_of_file(path);
    assert_int_equal(file_read(path, BYTES_MOST, &text), OK);
    return text;
}

static void forget(void) {
    char path[TESTING_PATH];
    path_of_file(path);
    unlink(path);
}

// All of it, from a file that was not there.
static Str write_all(const PopulationsConfig *config, uint32_t until) {
    forget();
    assert_int_equal(go_on(config, 0, until), OK);
    return read_file();
}

static void test_generations(void **state) {
    (void)state;
    const PopulationsConfig by_itself = {.organisms = 1, .last = 12345}, seventh = {7, 1, 0};
    size_t kept = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        const bool is_kept = populations_keep(&by_itself, i);
        kept += is_kept;
        if (i < 32 || i == 12345)
            assert_true(is_kept);
        if (i == 63)
            assert_int_equal(kept, 48);
        assert_int_equal(populations_keep(&seventh, i), i % 7 == 0);
        assert_false(populations_keep(&(PopulationsConfig){0}, i));
    }
    assert_in_range(kept, 200, 220);
}

// Rows say what the organisms are: the best first, evenly by rank, without what cannot change.
static void test_rows(void **state) {
    (void)state;
    for (uint32_t most = 1; most <= COUNT + 2; most++) {
        const PopulationsConfig config = {.organisms = most};
        Str text = write_all(&config, GENERATIONS);
        char *rest = text.text;
        assert_string_equal(strsep(&rest, "\n"), "generation,organism,figure,PAWN,REAL,FAR");
        for (uint32_t i = 0; i < GENERATIONS; i++) {
            double organisms[COUNT * WIDTH], figures[COUNT];
            int64_t scores[COUNT];
            uint32_t order[COUNT];
            const size_t count = most < COUNT ? most : COUNT;
            fill(i, organisms, scores, figures);
            selection_order(scores, COUNT, order);
            for (size_t k = 0; k < count; k++) {
                uint32_t generation, place;
                double figure, pawn, real, far;
                assert_int_equal(sscanf(strsep(&rest, "\n"),
                                        "%" SCNu32 ",%" SCNu32 ",%lf,%lf,%lf,%lf", &generation,
                                        &place, &figure, &pawn, &real, &far),
                                 6);
                assert_int_equal(generation, i);
                assert_int_equal(place, order[k * COUNT / count]);
                assert_true(figure == figures[place]);
                const double *values = organisms + place * WIDTH;
                assert_true(pawn == values[0] && real == values[2] && far == values[3]);
            }
        }
        assert_string_equal(rest, "");
        str_free(&text);
    }
}

static void test_it_goes_on_from_any_cut(void **state) {
    (void)state;
    const PopulationsConfig config = {.every = 2, .organisms = 3};
    for (uint32_t checkpoint = 0; checkpoint < GENERATIONS; checkpoint++) {
        Str until = write_all(&config, checkpoint);
        Str whole = write_all(&config, GENERATIONS);
        char path[TESTING_PATH];
        for (size_t cut = checkpoint == 0 ? 0 : until.length; cut <= whole.length; cut++) {
            testing_write(path, "populations.csv", whole.text, cut);
            assert_int_equal(go_on(&config, checkpoint, GENERATIONS), OK);
            Str again = read_file();
            assert_string_equal(again.text, whole.text);
            str_free(&again);
        }
        str_free(&until);
        str_free(&whole);
    }
}

static void test_not_ours(void **state) {
    (void)state;
    static const char *const others[] = {"generation,organism,figure,PAWN\n", "notes\n",
                                         "generation,organism,figure,PAWN,REAL,FAR\nx,1,2,3,4,5\n"};
    const PopulationsConfig config = {.organisms = 3};
    char path[TESTING_PATH];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        testing_write(path, "populations.csv", others[i], strlen(others[i]));
        assert_int_equal(go_on(&config, 2, 3), ERR_PARSE);
        assert_non_null(strstr(error_message(), "move it away"));
        Str text = read_file();
        assert_string_equal(text.text, others[i]);
        str_free(&text);
    }
}

static void test_none(void **state) {
    (void)state;
    char path[TESTING_PATH];
    forget();
    assert_int_equal(go_on(&(PopulationsConfig){0}, 0, GENERATIONS), OK);
    path_of_file(path);
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_it_goes_on_from_any_cut),
        cmocka_unit_test(test_not_ours),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
