// SPDX-License-Identifier: GPL-3.0-or-later
// What pages on papers read from runs and from files of results: verdicts, logs, figures by name.
#include "base/folder.h"
#include "papers/page.h"
#include "testing.h"

#include <math.h>

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
    PaperScore score;
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_run(&plan, "co", 1, 1, "coevolve cec2001");
    plan_run(&plan, "none", 1, 1, "coevolve cec2001");
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
    PaperScore score;
    char text[256];
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_run(&plan, "co", 1, 1, "coevolve cec2001");
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

// --- several runs ---

enum { RUNS = 2, GENERATIONS = 3, TERMS = 2 };
static const char *const terms[TERMS] = {"KNIGHT_VALUE", "LEGAL_MOVE"};

static double mean_of(int run, int generation, int term) {
    return 10 * run + generation + term;
}

static void add_list(Str *out, const char *key, int run, int generation, double factor) {
    str_addf(out, "\"%s\":{", key);
    for (int i = 0; i < TERMS; i++)
        str_addf(out, "%s\"%s\":%.2f", i == 0 ? "" : ",", terms[i],
                 factor * mean_of(run, generation, i));
    str_add(out, "}");
}

static void write_run(const Plan *plan, int run) {
    CLEANUP(str_free) Str log = {0};
    char folder[64];
    snprintf(folder, sizeof folder, "seeded/run-%02d", run + 1);
    for (int g = 0; g < GENERATIONS; g++) {
        str_addf(&log, "{\"generation\":%d,\"evaluations\":98,\"best\":%d,\"diversity\":0.5,", g,
                 run + g);
        add_list(&log, "means", run, g, 1000);
        str_add(&log, ",");
        add_list(&log, "deviations", run, g, 100);
        str_add(&log, "}\n");
    }
    write_file(plan, folder, "log.jsonl", str_text(&log));
    write_file(plan, folder, "verdict.csv", VERDICT_HEADER "10,7,2,1,0,0,1,2,2\n");
}

static void test_logs_have_columns(void **state) {
    (void)state;
    Plan plan;
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    for (int run = 0; run < RUNS; run++) {
        char path[TESTING_PATH + 64], column[64];
        EvidenceLog log;
        write_run(&plan, run);
        snprintf(path, sizeof path, "%s/seeded/run-%02d", plan.folder, run + 1);
        assert_int_equal(evidence_log_read(&log, path), OK);
        assert_int_equal(log.count, GENERATIONS);
        for (size_t g = 0; g < GENERATIONS; g++) {
            assert_true(evidence_log_at(&log, g, "best") == run + (int)g);
            assert_true(evidence_log_at(&log, g, "diversity") == 0.5);
            for (int i = 0; i < TERMS; i++) {
                const double mean = mean_of(run, (int)g, i);
                snprintf(column, sizeof column, "means.%s", terms[i]);
                assert_true(fabs(evidence_log_at(&log, g, column) - 1000 * mean) < 1e-6);
                snprintf(column, sizeof column, "deviations.%s", terms[i]);
                assert_true(fabs(evidence_log_at(&log, g, column) - 100 * mean) < 1e-6);
            }
            assert_true(isnan(evidence_log_at(&log, g, "mean")));
            assert_true(isnan(evidence_log_at(&log, g, "means.OTHER")));
        }
        assert_true(isnan(evidence_log_at(&log, GENERATIONS, "best")));
        evidence_log_free(&log);
    }
    plan_deinit(&plan);
}

static void test_verdicts_add_up_and_missing_runs_are_told(void **state) {
    (void)state;
    Plan plan;
    PaperScore score;
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_run(&plan, "seeded", 1, 1, "coevolve");
    for (int run = 0; run < RUNS; run++)
        write_run(&plan, run);
    assert_int_equal(evidence_verdict(&plan, "seeded", RUNS, &score), OK);
    assert_int_equal(page_games(&score), 20);
    assert_int_equal(score.games.wins, 14);
    assert_int_equal(score.pairs.results[3], 4);
    assert_true(fabs(page_percent(&score) - 80) < 1e-9);
    assert_int_equal(evidence_verdict(&plan, "seeded", RUNS + 1, &score), ERR_IO);
    plan_deinit(&plan);
}

// --- figures by name ---

static void test_results_are_found_by_name(void **state) {
    (void)state;
    static const struct {
        const char *step, *field, *value, *key;
        double number;
    } cases[] = {
        {"ratings", "name", "A \"x\"", "elo", 12.5}, {"ratings", "name", "A \"x\"", "plus", 3},
        {"ratings", "name", "B", "elo", -12.5},      {"ratings", "name", "B", "plus", NAN},
        {"ratings", "name", "B", "absent", NAN},     {"ratings", "name", "C", "elo", NAN},
        {"no such step", "name", "B", "elo", NAN},   {"runs", "run", "2", "training", 36.25},
    };
    Plan plan;
    double number;
    plan_init(&plan, SCALE_QUICK, 1, testing_directory);
    plan_step(&plan, "ratings", 1, "rate");
    plan_step(&plan, "absent", 1, "rate");
    plan_run(&plan, "runs", 1, 1, "evolve");
    write_file(&plan, ".", "ratings.jsonl",
               "{\"rank\":1,\"name\":\"A \\\"x\\\"\",\"elo\":12.5,\"plus\":3,\"minus\":3}\n"
               "{\"rank\":2,\"name\":\"B\",\"elo\":-12.5,\"plus\":null}\n");
    write_file(&plan, "runs", "results.jsonl",
               "{\"run\":1,\"training\":1}\n{\"run\":2,\"training\":36.25}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(evidence_result(&plan, cases[i].step, cases[i].field, cases[i].value,
                                         cases[i].key, &number),
                         OK);
        assert_true(isnan(cases[i].number) ? isnan(number) : number == cases[i].number);
    }
    assert_int_equal(evidence_result(&plan, "absent", "name", "B", "elo", &number), ERR_IO);
    assert_true(isnan(evidence_seconds(&plan, "ratings")));
    plan_deinit(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_verdict_of_a_run),
        cmocka_unit_test(test_a_verdict_that_cannot_be_is_refused),
        cmocka_unit_test(test_logs_have_columns),
        cmocka_unit_test(test_verdicts_add_up_and_missing_runs_are_told),
        cmocka_unit_test(test_results_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
