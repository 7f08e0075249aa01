// SPDX-License-Identifier: GPL-3.0-or-later
// What several runs have in common, as Tables 2 to 9 of Applied Soft Computing 2013 show it: best
// and mean at the start and at the end, the chosen organism on all positions, and the time.
#include "base/moments.h"
#include "evolve_report/evolve_report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum Figure {
    START_BEST,
    START_MEAN,
    END_BEST,
    END_MEAN,
    TRAINING,
    TEST,
    TEST_MEAN,
    ABOVE,
    SECONDS,
    FIGURE_NB,
} Figure;

// What a column is called by people and by machines.
static const struct {
    const char *name, *key;
} figures[FIGURE_NB] = {
    [START_BEST] = {"start best", "start_best"}, [START_MEAN] = {"start mean", "start_mean"},
    [END_BEST] = {"end best", "end_best"},       [END_MEAN] = {"end mean", "end_mean"},
    [TRAINING] = {"training", "training"},       [TEST] = {"test", "test"},
    [TEST_MEAN] = {"test mean", "test_mean"},    [ABOVE] = {"above, %", "above_optimum"},
    [SECONDS] = {"seconds", "seconds"},
};

static double figure_of(const EvolveFindings *findings, size_t run, Figure figure) {
    const RunOutcome *outcome = &findings->outcomes[run];
    const RunSummary *summary = &findings->summaries[run];
    const double all[FIGURE_NB] = {
        [START_BEST] = summary->first.best,
        [START_MEAN] = summary->first.mean,
        [END_BEST] = summary->last.best,
        [END_MEAN] = summary->last.mean,
        [TRAINING] = outcome->training_error,
        [TEST] = outcome->test_error,
        [TEST_MEAN] = summary->test_mean,
        [ABOVE] = findings->optimum == NULL
                      ? (double)NAN
                      : certified_distance(findings->optimum, outcome->training_error),
        [SECONDS] = summary->seconds,
    };
    return all[figure];
}

// Times differ between equal runs: they are shown, and stay out of files that must not differ.
static bool is_shown(const EvolveFindings *findings, Figure figure, bool has_times) {
    switch (figure) {
    case TEST:
    case TEST_MEAN:
        return problem_size(findings->problem, SET_TEST) > 0;
    case ABOVE:
        return findings->optimum != NULL;
    case SECONDS:
        return has_times;
    default:
        return true;
    }
}

static void add_run(const EvolveFindings *findings, size_t run, const char *name, bool has_times,
                    Table *table) {
    table_add_text(table, name);
    for (int i = 0; i < FIGURE_NB; i++)
        if (is_shown(findings, (Figure)i, has_times))
            table_add_number(table, figure_of(findings, run, (Figure)i));
}

static void add_statistics(const EvolveFindings *findings, bool has_times, Table *table) {
    Moments moments[FIGURE_NB] = {0};
    for (size_t run = 0; run < (size_t)findings->config->runs; run++)
        for (int i = 0; i < FIGURE_NB; i++)
            moments_add(&moments[i], figure_of(findings, run, (Figure)i));
    add_run(findings, evolve_findings_best_run(findings), "best", has_times, table);
    add_run(findings, evolve_findings_median_run(findings), "median", has_times, table);
    add_run(findings, evolve_findings_worst_run(findings), "worst", has_times, table);
    table_add_text(table, "mean");
    for (int i = 0; i < FIGURE_NB; i++)
        if (is_shown(findings, (Figure)i, has_times))
            table_add_number(table, moments[i].mean);
    table_add_text(table, "deviation");
    for (int i = 0; i < FIGURE_NB; i++)
        if (is_shown(findings, (Figure)i, has_times))
            table_add_number(table, moments_deviation(&moments[i]));
}

// --- words ---

static void explain_columns(const EvolveFindings *findings, bool has_times, Report *report) {
    CLEANUP(str_free) Str text = {0};
    str_addf(&text,
             "Start and end are generations %u and %u, on the positions each was judged on: their "
             "best organism and the mean of all. Training%s: the organism that was chosen, on all "
             "positions.",
             findings->summaries[0].first.generation, findings->summaries[0].last.generation,
             problem_size(findings->problem, SET_TEST) > 0 ? " and test" : "");
    if (problem_size(findings->problem, SET_TEST) > 0)
        str_add(&text, " Test mean: all organisms of the last generation.");
    if (findings->optimum != NULL)
        str_add(&text, " Above: the training error over the certified optimum.");
    str_add(&text, has_times ? " Seconds: since the run, or its last resumption, began."
                             : " Times are in the timings.csv of each run.");
    report_add_paragraph(report, "%s", str_text(&text));
}

static void name_runs(const EvolveFindings *findings, Report *report) {
    const size_t median = evolve_findings_median_run(findings);
    CLEANUP(str_free) Str folder = {0};
    run_directory(".", findings->config, (uint32_t)median, &folder);
    report_add_paragraph(report,
                         "Best, median and worst are runs %zu, %zu and %zu, ranked on the training "
                         "set (of two in the middle the worse); their other figures are those of "
                         "the same run. The median run is in %s, its last generation in "
                         "population.csv there.",
                         evolve_findings_best_run(findings) + 1, median + 1,
                         evolve_findings_worst_run(findings) + 1, str_text(&folder) + 2);
}

// --- tables ---

void evolve_findings_add_runs(const EvolveFindings *findings, Report *report, bool is_summary) {
    if (findings->summaries == NULL)
        return;
    Table *table = report_add_table(report, "Independent runs");
    table_add_text_column(table, "run");
    for (int i = 0; i < FIGURE_NB; i++)
        if (is_shown(findings, (Figure)i, is_summary))
            table_add_number_column(table, figures[i].name, 2);
    for (size_t run = 0; run < (size_t)findings->config->runs && !is_summary; run++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", run + 1);
        add_run(findings, run, name, is_summary, table);
    }
    add_statistics(findings, is_summary, table);
    name_runs(findings, report);
    explain_columns(findings, is_summary, report);
}

Table *evolve_findings_runs(const EvolveFindings *findings) {
    Table *table = table_create("runs");
    table_add_columns(table, "run:0|rank:0");
    for (int i = 0; i < SECONDS; i++)
        table_add_number_column(table, figures[i].key, 4);
    for (size_t run = 0; run < (size_t)findings->config->runs; run++) {
        TABLE_ADD_NUMBERS(table, (double)run + 1, (double)evolve_findings_rank(findings, run) + 1);
        for (int i = 0; i < SECONDS; i++)
            table_add_number(table, figure_of(findings, run, (Figure)i));
    }
    return table;
}
