// SPDX-License-Identifier: GPL-3.0-or-later
// genes.csv of a run: what a kill leaves of it, anywhere, goes on to the same bytes.
#include "base/file.h"
#include "base/moments.h"
#include "base/rng.h"
#include "evolve/space.h"
#include "run/files/genes_file.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 4, COUNT = 7, GENERATIONS = 6, BYTES_MOST = 1 << 16 };

static const EvolveParameter parameters[WIDTH] = {
    {"PAWN", 0, 200, 0}, {"FIXED", 100, 100, 0}, {"REAL", -0.5, 0.5, 0}, {"FAR", 1e6, 1e7, 0}};
static const EvolveSpace space = {parameters, WIDTH, EVOLVE_REAL, false};

static void fill(uint32_t generation, double *organisms) {
    Rng rng = rng_at(5, generation, 0, 0);
    for (size_t i = 0; i < COUNT; i++)
        space_randomize(&space, &rng, organisms + i * WIDTH);
}

// Goes on with a generation, to the end of another.
static Status go_on(uint32_t from, uint32_t until, bool has_best) {
    GenesFile genes;
    Status status = genes_open(&genes, testing_directory, &space, from);
    for (uint32_t i = from; i < until && status == OK; i++) {
        double organisms[COUNT * WIDTH];
        fill(i, organisms);
        const EvolveBatch batch = {organisms, COUNT, WIDTH, i};
        status = genes_add(&genes, has_best ? organisms : NULL, &batch);
    }
    if (status == OK)
        status = genes_sync(&genes);
    const Status closed = genes_close(&genes);
    return status != OK ? status : closed;
}

static Str read_genes(void) {
    char path[TESTING_PATH];
    Str text = {0};
    testing_path(path, "genes.csv");
    assert_int_equal(file_read(path, BYTES_MOST, &text), OK);
    return text;
}

static void put(const char *text, size_t length) {
    char path[TESTING_PATH];
    testing_write(path, "genes.csv", text, length);
}

static void forget(void) {
    char path[TESTING_PATH];
    testing_path(path, "genes.csv");
    unlink(path);
}

// The bytes of so many generations, with the line of names.
static size_t length_of(uint32_t generations) {
    forget();
    assert_int_equal(go_on(0, generations, true), OK);
    Str text = read_genes();
    const size_t length = text.length;
    str_free(&text);
    return length;
}

static void test_it_goes_on_from_any_cut(void **state) {
    (void)state;
    for (uint32_t checkpoint = 0; checkpoint < GENERATIONS; checkpoint++) {
        const size_t least = checkpoint == 0 ? 0 : length_of(checkpoint);
        (void)length_of(GENERATIONS);
        Str whole = read_genes();
        for (size_t cut = least; cut <= whole.length; cut++) {
            put(whole.text, cut);
            assert_int_equal(go_on(checkpoint, GENERATIONS, true), OK);
            Str again = read_genes();
            assert_string_equal(str_text(&again), str_text(&whole));
            str_free(&again);
        }
        str_free(&whole);
    }
}

static void test_a_file_that_is_too_short_is_refused(void **state) {
    (void)state;
    const uint32_t checkpoint = 4;
    const size_t names = length_of(0), least = length_of(checkpoint);
    (void)length_of(GENERATIONS);
    Str whole = read_genes();
    for (size_t cut = names + 40; cut < least; cut++) {
        put(whole.text, cut);
        const Status status = go_on(checkpoint, GENERATIONS, true);
        Str after = read_genes();
        // Within the first row nothing is known yet, and it begins late, as in an older run.
        if (status == OK)
            assert_null(memchr(whole.text + names, '\n', cut - names));
        else
            assert_memory_equal(after.text, whole.text, cut);
        if (status != OK)
            assert_non_null(strstr(error_message(), "before the checkpoint, which is of 4"));
        str_free(&after);
    }
    str_free(&whole);
}

static void test_an_older_run_has_its_last_generations(void **state) {
    (void)state;
    forget();
    assert_int_equal(go_on(4, GENERATIONS, true), OK);
    Str text = read_genes();
    assert_memory_equal(str_text(&text), "generation,of,PAWN,REAL,FAR\n4,best,", 35);
    str_free(&text);
    assert_int_equal(go_on(5, GENERATIONS, true), OK); // killed once more
    assert_int_equal(go_on(3, GENERATIONS, true), OK); // or back to the checkpoint before
}

static void test_what_is_not_ours_stays(void **state) {
    (void)state;
    static const char *const others[] = {"my notes\n", "generation,of,PAWN,REAL\n0,best,1,2\n",
                                         "generation,of,PAWN,REAL,FAR\nnotes\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        put(others[i], strlen(others[i]));
        assert_int_equal(go_on(0, GENERATIONS, true), ERR_PARSE);
        assert_non_null(
            strstr(error_message(), "genes.csv: not the genes of this run: move it away"));
        Str text = read_genes();
        assert_string_equal(str_text(&text), others[i]);
        str_free(&text);
    }
}

// What is written of one parameter in the last generation.
static double value_of(const char *text, const char *what, int column) {
    const char *at = NULL;
    for (const char *next = strstr(text, what); next != NULL; next = strstr(next + 1, what))
        at = next;
    assert_non_null(at);
    for (at += strlen(what); column > 0; column--)
        at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

static void test_means_and_deviations(void **state) {
    (void)state;
    static const int columns[] = {0, 2, 3}; // but for what is fixed
    double organisms[COUNT * WIDTH];
    forget();
    assert_int_equal(go_on(0, GENERATIONS, false), OK);
    fill(GENERATIONS - 1, organisms);
    Str text = read_genes();
    assert_null(strstr(str_text(&text), "best"));
    for (int i = 0; i < 3; i++) {
        Moments moments = {0};
        for (size_t k = 0; k < COUNT; k++)
            moments_add(&moments, organisms[k * WIDTH + (size_t)columns[i]]);
        const double mean = value_of(str_text(&text), ",mean,", i);
        const double deviation = value_of(str_text(&text), ",deviation,", i);
        assert_true(fabs(mean - moments.mean) <= 1e-5 * fabs(moments.mean));
        assert_true(fabs(deviation - moments_deviation(&moments)) <=
                    1e-5 * moments_deviation(&moments));
    }
    str_free(&text);
}

// What was written, in order.
typedef struct Readings {
    size_t count;
    uint32_t generations[3 * GENERATIONS];
    GenesOf of[3 * GENERATIONS];
    double first[3 * GENERATIONS], last[3 * GENERATIONS];
} Readings;

static void take(void *context, uint32_t generation, GenesOf of, const double *values) {
    Readings *readings = context;
    assert_true(readings->count < 3 * GENERATIONS);
    readings->generations[readings->count] = generation;
    readings->of[readings->count] = of;
    readings->first[readings->count] = values[0];
    readings->last[readings->count++] = values[2];
}

static void test_reading_back(void **state) {
    (void)state;
    Readings readings = {0};
    double organisms[COUNT * WIDTH];
    forget();
    assert_int_equal(genes_each(testing_directory, &space, take, &readings), OK);
    assert_int_equal(readings.count, 0);
    assert_int_equal(go_on(0, GENERATIONS, true), OK);
    assert_int_equal(genes_each(testing_directory, &space, take, &readings), OK);
    assert_int_equal(readings.count, 3 * GENERATIONS);
    for (uint32_t i = 0; i < 3 * GENERATIONS; i++) {
        assert_int_equal(readings.generations[i], i / 3);
        assert_int_equal(readings.of[i], i % 3);
    }
    fill(2, organisms);
    assert_true(fabs(readings.first[6] - organisms[0]) < 1e-9);
    assert_true(fabs(readings.last[6] / organisms[3] - 1) < 1e-9);
}

static void test_reading_what_is_not_ours(void **state) {
    (void)state;
    static const char *const others[] = {"my notes\n",
                                         "generation,of,PAWN,REAL\n0,best,1,2\n",
                                         "generation,of,PAWN,REAL,FAR\n0,best,1,2\n",
                                         "generation,of,PAWN,REAL,FAR\n0,best,1,2,x\n",
                                         "generation,of,PAWN,REAL,FARTHER\n",
                                         "generation,of,PAWN,REAL,FAR\n0,mean,1,2,3,4\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Readings readings = {0};
        put(others[i], strlen(others[i]));
        assert_int_equal(genes_each(testing_directory, &space, take, &readings), ERR_PARSE);
        assert_non_null(strstr(error_message(), "genes.csv"));
    }
    forget();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_goes_on_from_any_cut),
        cmocka_unit_test(test_a_file_that_is_too_short_is_refused),
        cmocka_unit_test(test_an_older_run_has_its_last_generations),
        cmocka_unit_test(test_what_is_not_ours_stays),
        cmocka_unit_test(test_means_and_deviations),
        cmocka_unit_test(test_reading_back),
        cmocka_unit_test(test_reading_what_is_not_ours),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
