// SPDX-License-Identifier: GPL-3.0-or-later
// What pages on papers read from runs: the verdict of one, and the curve over several.
#include "base/folder.h"
#include "papers/page.h"
#include "testing.h"

static void write_file(const Plan *plan, const char *folder, const char *name, const char *text) {
    char path[TESTING_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", plan->folder, folder);
    assert_int_equal(folder_create(path), OK);
    snprintf(path, sizeof path, "%s/%s/%s", plan->folder, folder, name);
    assert_int_equal(file_write(path, text, strlen(text)), OK);
}

#define VERDICT_HEADER "games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n"

static void test_the_verdict_of_a_run(void **state) {
    (void)state;
    Plan plan;
    MeetingScore score;
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_run(&plan, "co", 1, "coevolve cec2001");
    plan_run(&plan, "none", 1, "coevolve cec2001");
    write_file(&plan, "co", "verdict.csv", VERDICT_HEADER "100,47,14,39,6,9,18,5,12\n");
    assert_int_equal(evidence_verdict(&plan, "co", 1, &score), OK);
    assert_int_equal(page_games(&score), 100);
    assert_true(page_percent(&score) == 54);
    uint64_t pairs = 0, half_points = 0;
    for (unsigned i = 0; i < PAIR_RESULTS; i++) {
        pairs += score.pairs.results[i];
        half_points += i * score.pairs.results[i];
    }
    assert_int_equal(pairs, 50);
    assert_int_equal(half_points, 2 * 47 + 14);
    assert_int_equal(evidence_verdict(&plan, "no such step", 1, &score), OK);
    assert_int_equal(page_games(&score), 0);
    assert_int_equal(evidence_verdict(&plan, "none", 1, &score), ERR_IO);
    plan_deinit(&plan);
}

// Counts that no match can have, of 100 games, and every bit of a file that flips.
static void test_a_verdict_that_cannot_be_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "100,-5,14,91,6,9,18,5,12\n",   "100,47,14,39,6,9,18,5,-12\n",
        "100,47,14,39,6,9,18,5\n",      "100,47,14,40,6,9,18,5,12\n",
        "101,47,15,39,6,9,18,5,12\n",   "100,48,13,39,6,9,18,5,12\n",
        "100,47,14,39,7,9,18,5,11\n",   "1e2,47,14,39,6,9,18,5,12\n",
        "100,47,14,39,6,9,18,5,12,0\n", "100,47,14,39,6,9,18,5,12\n1\n",
        "100,47,14,39,6,9,18,5,12",     "",
        "inf,47,14,39,6,9,18,5,12\n",
    };
    Plan plan;
    MeetingScore score;
    char text[256];
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_run(&plan, "co", 1, "coevolve cec2001");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "%s%s", VERDICT_HEADER, bad[i]);
        write_file(&plan, "co", "verdict.csv", text);
        if (evidence_verdict(&plan, "co", 1, &score) != ERR_PARSE)
            fail_msg("taken: %s", bad[i]);
        assert_non_null(strstr(error_message(), "co/verdict.csv: damaged: "));
    }
    const int length = snprintf(text, sizeof text, "%s100,47,14,39,6,9,18,5,12\n", VERDICT_HEADER);
    for (int bit = 0; bit < 8 * length; bit++) {
        text[bit / 8] ^= (char)(1 << bit % 8);
        write_file(&plan, "co", "verdict.csv", text);
        if (evidence_verdict(&plan, "co", 1, &score) != ERR_PARSE)
            fail_msg("taken: %s", text);
        text[bit / 8] ^= (char)(1 << bit % 8);
    }
    plan_deinit(&plan);
}

static void write_log(const Plan *plan, const char *folder, double best, double mean) {
    char text[512];
    size_t length = 0;
    for (int i = 0; i < 2; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "{\"generation\":%d,\"evaluations\":10,\"best\":%g,\"median\":1,"
                                   "\"mean\":%g,\"worst\":0,\"diversity\":0.1}\n",
                                   i, best + i, mean + i);
    write_file(plan, folder, "log.jsonl", text);
}

// Each line is the mean over the runs, and its band holds all of them.
static void test_the_curve_over_several_runs(void **state) {
    (void)state;
    Plan plan;
    RunsCourse course;
    Report *report = report_create("runs");
    const ChartSpec spec = {.title = "t", .x_label = "generation", .y_label = "y"};
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    write_log(&plan, "ten/run-01", 10, 2);
    write_log(&plan, "ten/run-02", 16, 4);
    write_log(&plan, "ten/run-03", 13, 6);
    assert_int_equal(course_read(&course, &plan, "ten", 3), OK);
    Table *table = chart_to_table(page_add_course(report, &course, &spec), 0);
    course_free(&course);
    Str text = {0};
    table_write_csv(table, &text);
    assert_non_null(strstr(str_text(&text), "\n0,13,10,16,4,2,6\n1,14,11,17,5,3,7\n"));
    table_destroy(table);
    str_free(&text);
    assert_int_equal(course_read(&course, &plan, "ten", 4), ERR_IO);
    course_free(&course);
    report_destroy(report);
    plan_deinit(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_verdict_of_a_run),
        cmocka_unit_test(test_a_verdict_that_cannot_be_is_refused),
        cmocka_unit_test(test_the_curve_over_several_runs),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
