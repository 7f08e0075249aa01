// SPDX-License-Identifier: GPL-3.0-or-later
// What the page on CEC 2001 reads: ratings, the course of runs, verdicts.
#include "papers/cec2001.h"

#include "testing.h"

#include <math.h>
#include <sys/stat.h>

enum { RUNS = 2, GENERATIONS = 3 };

static Plan plan;

static void make_folder(const char *name) {
    char path[TESTING_PATH];
    testing_path(path, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

// Run r has, at generation g, a mean of (10 r + g + i) pawns for weight i, and a tenth of it as
// its deviation.
static double mean_of(int run, int generation, int weight) {
    return 10 * run + generation + weight;
}

static void add_list(Str *out, const char *key, int run, int generation, double factor) {
    str_addf(out, "\"%s\":{", key);
    for (int i = 0; i < CEC_WEIGHTS; i++)
        str_addf(out, "%s\"%s\":%.2f", i == 0 ? "" : ",", cec_weights[i].term,
                 factor * mean_of(run, generation, i));
    str_add(out, "}");
}

static void write_run(int run) {
    char name[64], path[TESTING_PATH];
    Str log = {0};
    snprintf(name, sizeof name, "seeded/run-%02d", run + 1);
    make_folder(name);
    for (int g = 0; g < GENERATIONS; g++) {
        str_addf(&log, "{\"generation\":%d,\"evaluations\":98,\"diversity\":0.5,", g);
        add_list(&log, "means", run, g, 1000);
        str_add(&log, ",");
        add_list(&log, "deviations", run, g, 100);
        str_add(&log, "}\n");
    }
    snprintf(name, sizeof name, "seeded/run-%02d/log.jsonl", run + 1);
    testing_write(path, name, log.text, log.length);
    str_free(&log);
    const char verdict[] = "games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n"
                           "10,7,2,1,0,0,1,2,2\n";
    snprintf(name, sizeof name, "seeded/run-%02d/verdict.csv", run + 1);
    testing_write(path, name, verdict, sizeof verdict - 1);
}

static void write_ratings(void) {
    char path[TESTING_PATH];
    const char text[] =
        "{\"rank\":1,\"name\":\"A \\\"x\\\"\",\"elo\":12.5,\"plus\":3,\"minus\":3}\n"
        "{\"rank\":2,\"name\":\"B\",\"elo\":-12.5,\"plus\":null}\n"
        "2 players, 4 games\n";
    make_folder("log");
    testing_write(path, "log/ratings.txt", text, sizeof text - 1);
}

static int set_up(void **state) {
    if (testing_set_up(state) != 0)
        return 1;
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_step(&plan, "ratings", 1, "rate");
    plan_step(&plan, "seeded", 1, "coevolve");
    make_folder("seeded");
    for (int run = 0; run < RUNS; run++)
        write_run(run);
    write_ratings();
    return 0;
}

static int tear_down(void **state) {
    plan_deinit(&plan);
    return testing_tear_down(state);
}

static void test_ratings_are_found_by_name(void **state) {
    (void)state;
    EvidenceRating rating;
    assert_int_equal(evidence_rating(&plan, "ratings", "A \"x\"", &rating), OK);
    assert_true(rating.elo == 12.5 && rating.plus == 3);
    assert_int_equal(evidence_rating(&plan, "ratings", "B", &rating), OK);
    assert_true(rating.elo == -12.5 && isnan(rating.plus));
    assert_int_equal(evidence_rating(&plan, "ratings", "C", &rating), OK);
    assert_true(isnan(rating.elo) && isnan(rating.plus));
    assert_int_equal(evidence_rating(&plan, "no-such-step", "A", &rating), OK);
    assert_true(isnan(rating.elo) && isnan(rating.plus));
}

static void test_course_is_read_in_pawns(void **state) {
    (void)state;
    CecCourse course;
    assert_int_equal(cec_course_read(&course, &plan, "seeded", RUNS), OK);
    assert_int_equal(course.generations, GENERATIONS);
    for (int run = 0; run < RUNS; run++)
        for (int g = 0; g < GENERATIONS; g++)
            for (int i = 0; i < CEC_WEIGHTS; i++) {
                const CecSpread at = cec_course_at(&course, (size_t)run, (size_t)g, (size_t)i);
                assert_true(fabs(at.mean - mean_of(run, g, i)) < 1e-9);
                assert_true(fabs(at.deviation - mean_of(run, g, i) / 10) < 1e-9);
            }
    const CecRange range = cec_course_range(&course, 2, 1);
    assert_true(fabs(range.mean - 8) < 1e-9 && fabs(range.deviation - 0.8) < 1e-9);
    assert_true(fabs(range.low - 3) < 1e-9 && fabs(range.high - 13) < 1e-9);
    assert_true(cec_course_until(&course, 0, 0, 0.5) == 1);
    assert_true(isnan(cec_course_until(&course, 1, 0, 0.5)));
    cec_course_free(&course);
}

static void test_missing_runs_are_told(void **state) {
    (void)state;
    CecCourse course;
    MeetingScore score;
    assert_int_equal(cec_course_read(&course, &plan, "seeded", RUNS + 1), ERR_IO);
    assert_int_equal(evidence_verdict(&plan, "seeded", RUNS + 1, &score), ERR_IO);
}

static void test_verdicts_add_up(void **state) {
    (void)state;
    MeetingScore score;
    assert_int_equal(evidence_verdict(&plan, "seeded", RUNS, &score), OK);
    assert_int_equal(page_games(&score), 20);
    assert_int_equal(score.games.wins, 14);
    assert_int_equal(score.pairs.results[3], 4);
    assert_true(fabs(page_percent(&score) - 80) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratings_are_found_by_name),
        cmocka_unit_test(test_course_is_read_in_pawns),
        cmocka_unit_test(test_missing_runs_are_told),
        cmocka_unit_test(test_verdicts_add_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
