// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beside each other: what is read of their folders, and what a run had at a moment.
#include "base/json.h"
#include "compare/compare.h"
#include "mentoring.h"
#include "run/run_folder.h"

#include <math.h>
#include <sys/stat.h>

enum { RUNS = 5, GENERATIONS = 3 };

// Errors of generations: the second is better than the third, as where an algorithm starts anew.
static const double bests[GENERATIONS] = {50, 20, 30};

static void write_file(const char *folder, int run, const char *name, const Str *text) {
    char path[TESTING_PATH], relative[96];
    snprintf(relative, sizeof relative, "%s/run-%02d/%s", folder, run + 1, name);
    testing_write(path, relative, str_text(text), text->length);
}

// A run whose figures are `shift` more than those above, and two less on the test set.
static void write_run(const char *folder, int run, double shift, const char *hash) {
    Str weights = {0}, log = {0}, times = {0};
    str_addf(&weights,
             "# data: some.epd (%s): all\n# error: %.4f centipawns on the training set, 1.0000 on "
             "the last sample, %.4f on the test set\nfamily maestro 1\n",
             hash, bests[1] + shift, bests[1] + shift - 2);
    str_add(&times, "generation,seconds\n");
    for (int i = 0; i < GENERATIONS; i++) {
        const size_t start = log.length;
        str_addf(&log,
                 "{\"generation\":%d,\"evaluations\":%d,\"best\":%.4f,\"median\":90,\"mean\":90,"
                 "\"worst\":99,\"held_out\":%.4f,\"diversity\":0.1",
                 i, 10 * (i + 1), bests[i] + shift, bests[i] + shift - 2);
        json_end_checked(&log, start);
        str_addf(&times, "%d,%d\n", i, i + 1);
        if (i == 1) // a generation that was lost to a kill took its time
            str_addf(&times, "0,%d.5\n1,%d.75\n", i + 1, i + 1);
    }
    write_file(folder, run, "best.weights", &weights);
    write_file(folder, run, "log.jsonl", &log);
    write_file(folder, run, "timings.csv", &times);
    str_free(&weights);
    str_free(&log);
    str_free(&times);
}

static void write_group(const char *folder, const char *words, double shift, const char *hash) {
    char path[TESTING_PATH];
    RunConfig config;
    run_config_init(&config);
    mentoring_set(&config, "runs 5 test held.epd");
    mentoring_set(&config, words);
    testing_path(path, folder);
    assert_int_equal(run_begin(path, &config), OK);
    for (int i = 0; i < RUNS; i++)
        write_run(folder, i, shift + 0.01 * i, hash);
    run_config_free(&config);
}

static Status compare_two(const char *first, const char *second, CompareOn on, Comparison *out) {
    char paths[2][TESTING_PATH];
    testing_path(paths[0], first);
    testing_path(paths[1], second);
    return compare_create(out, (const char *[]){paths[0], paths[1]}, 2, on);
}

static int set_up(void **state) {
    const int failed = testing_set_up(state);
    write_group("whole", "sample 0", 0, "0123456789abcdef");
    write_group("drawn", "sample 7", 5, "0123456789abcdef");
    write_group("other", "sample 0", 0, "0123456789abcde0");
    return failed;
}

static void test_figures_at_all_moments(void **state) {
    (void)state;
    Comparison comparison;
    assert_int_equal(compare_two("whole", "drawn", COMPARE_ON_NB, &comparison), OK);
    assert_int_equal(comparison.on, COMPARE_TEST);
    assert_true(comparison.by_held_out);
    assert_float_equal(comparison.moments[WHEN_EVALUATIONS].at, 30, 0);
    assert_float_equal(comparison.moments[WHEN_SECONDS].at, 3, 0);
    const double expected[WHEN_NB][2] = {{18.02, 23.02}, {18.02, 33.02}, {18.02, 33.02}};
    for (int when = 0; when < WHEN_NB; when++)
        for (size_t i = 0; i < 2; i++)
            assert_float_equal(rank_quantile(comparison.moments[when].values[i], RUNS, 0.5),
                               expected[when][i], 1e-6);
    const ComparePair *pair = &comparison.moments[WHEN_ENDED].pairs[0];
    assert_float_equal(pair->test.p, 2.0 / 252, 1e-9);
    assert_float_equal(pair->test.superior, 1, 0); // less of an error is better
    compare_free(&comparison);
}

static void test_what_a_run_had_before_the_end(void **state) {
    (void)state;
    Comparison comparison;
    assert_int_equal(compare_two("whole", "drawn", COMPARE_TRAINING, &comparison), OK);
    const CompareGroup *whole = &comparison.groups[0], *drawn = &comparison.groups[1];
    const struct {
        CompareWhen when;
        double at, whole, drawn;
    } cases[] = {
        {WHEN_EVALUATIONS, 9, NAN, NAN}, {WHEN_EVALUATIONS, 10, 50, 55},
        {WHEN_EVALUATIONS, 29, 20, 25},  {WHEN_EVALUATIONS, 1e9, 20, 35},
        {WHEN_SECONDS, 2.4, NAN, NAN},   {WHEN_SECONDS, 2.6, 50, 55},
        {WHEN_SECONDS, 2.75, 20, 25},    {WHEN_SECONDS, 3, 20, 35},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double one =
            compare_value_at(&comparison, whole, &whole->runs[0], cases[i].when, cases[i].at);
        const double two =
            compare_value_at(&comparison, drawn, &drawn->runs[0], cases[i].when, cases[i].at);
        assert_true(isnan(cases[i].whole) ? isnan(one) : fabs(one - cases[i].whole) < 1e-9);
        assert_true(isnan(cases[i].drawn) ? isnan(two) : fabs(two - cases[i].drawn) < 1e-9);
    }
    compare_free(&comparison);
}

static void test_other_data_is_refused(void **state) {
    (void)state;
    Comparison comparison;
    assert_int_equal(compare_two("whole", "other", COMPARE_ON_NB, &comparison), ERR_ARG);
    assert_message("have different data (0123456789abcdef and 0123456789abcde0)");
    compare_free(&comparison);
}

// The page and the rows hold what was compared, whatever folders are called.
static void test_a_page_and_rows(void **state) {
    (void)state;
    Comparison comparison;
    Str text = {0};
    assert_int_equal(compare_two("whole", "drawn/run-02", COMPARE_ON_NB, &comparison), OK);
    Report *report = compare_report(&comparison, true);
    report_write_html(report, &text);
    assert_non_null(strstr(str_text(&text), "<svg"));
    assert_non_null(strstr(str_text(&text), "cannot tell: too few runs"));
    Table *table = compare_table(&comparison);
    assert_int_equal(table_row_count(table), WHEN_NB);
    table_destroy(table);
    report_destroy(report);
    str_free(&text);
    compare_free(&comparison);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_at_all_moments),
        cmocka_unit_test(test_what_a_run_had_before_the_end),
        cmocka_unit_test(test_other_data_is_refused),
        cmocka_unit_test(test_a_page_and_rows),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
