// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line, seen through a terminal of our own; and running means.
#include "base/progress.h"

#include "base/hash.h"
#include "base/moments.h"
#include "testing.h"

#include <fcntl.h>
#include <math.h>

static const int64_t SECOND_NS = 1000000000, PATIENT_S = 600;

static void test_silent_where_nobody_looks(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    char path[TESTING_PATH];
    Progress progress;
    testing_path(path, "log");
    FILE *file = fopen(path, "w+");
    progress_start(&progress, file, "generations", 10, 0);
    progress_show(&progress, 5, "a note");
    progress_end(&progress);
    assert_int_equal(ftell(file), 0);
    fclose(file);
    FILE *memory = open_memstream(&text, &size);
    progress_start(&progress, memory, "generations", 10, 0);
    progress_show(&progress, 5, NULL);
    progress_end(&progress);
    fclose(memory);
    assert_int_equal(size, 0);
    free(text);
    progress_start(&progress, NULL, "generations", 10, 0);
    progress_show(&progress, 5, NULL);
    progress_end(&progress);
}

static void test_a_terminal_sees_how_it_goes(void **state) {
    (void)state;
    char text[512] = "";
    Progress progress;
    const int ours = posix_openpt(O_RDWR | O_NOCTTY);
    if (ours < 0 || grantpt(ours) != 0 || unlockpt(ours) != 0)
        skip();
    FILE *theirs = fopen(ptsname(ours), "w");
    assert_non_null(theirs);
    progress_start(&progress, theirs, "generations", 300, 100);
    // It began two seconds ago, and what comes next is too soon whenever it comes.
    progress.started_ns -= 2 * SECOND_NS;
    progress_show(&progress, 150, "best 20.00");
    progress.shown_ns += PATIENT_S * SECOND_NS;
    progress_show(&progress, 151, "too soon to be shown");
    progress_end(&progress);
    assert_true(read(ours, text, sizeof text - 1) > 0);
    assert_non_null(strstr(text, "150 of 300 generations, "));
    assert_non_null(strstr(text, " a second, "));
    assert_non_null(strstr(text, " left  best 20.00"));
    assert_null(strstr(text, "151"));
    assert_null(strchr(text, '\n'));
    fclose(theirs);
    close(ours);
}

static void test_moments_are_those_of_the_numbers(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    Moments moments = {0};
    double values[1000], sum = 0, squares = 0;
    assert_true(moments_deviation(&moments) == 0 && moments_half_width(&moments) == 0);
    for (size_t i = 0; i < 1000; i++) {
        values[i] = 1e9 + rng_real(&rng); // where the plain formula would lose its digits
        moments_add(&moments, values[i]);
        sum += values[i] - 1e9;
    }
    const double mean = sum / 1000;
    for (size_t i = 0; i < 1000; i++)
        squares += (values[i] - 1e9 - mean) * (values[i] - 1e9 - mean);
    assert_true(fabs(moments.mean - 1e9 - mean) < 1e-6);
    assert_true(fabs(moments_deviation(&moments) - sqrt(squares / 999)) < 1e-6);
    assert_true(fabs(moments_half_width(&moments) - 1.96 * sqrt(squares / 999 / 1000)) < 1e-6);
}

static void test_the_hash_is_fnv(void **state) {
    (void)state;
    // As its authors publish them.
    assert_true(hash_bytes(HASH_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(hash_bytes(HASH_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silent_where_nobody_looks),
        cmocka_unit_test(test_a_terminal_sees_how_it_goes),
        cmocka_unit_test(test_moments_are_those_of_the_numbers),
        cmocka_unit_test(test_the_hash_is_fnv),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
