// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/evolve_report.h"

#include "base/lines.h"
#include "base/mem.h"
#include "base/moments.h"
#include "study/run_log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { LOG_LINE_MAX = 1 << 12 };

// --- which run ---

static size_t ranked_run(const EvolveFindings *findings, size_t rank) {
    const RunOutcome *outcomes = findings->outcomes;
    const size_t runs = (size_t)findings->config->runs;
    for (size_t i = 0; i < runs; i++) {
        size_t better = 0;
        for (size_t j = 0; j < runs; j++)
            better += outcomes[j].training_error < outcomes[i].training_error ||
                      (outcomes[j].training_error == outcomes[i].training_error && j < i);
        if (better == rank)
            return i;
    }
    return 0;
}

size_t findings_median_run(const EvolveFindings *findings) {
    return ranked_run(findings, ((size_t)findings->config->runs - 1) / 2);
}

size_t findings_best_run(const EvolveFindings *findings) {
    return ranked_run(findings, 0);
}

// --- figures and tables ---

static void add_figure(Report *report, const char *label, double value, const char *unit,
                       const char *note) {
    char text[64];
    snprintf(text, sizeof text, "%.2f %s", value, unit);
    report_add_figure(report, label, text, note);
}

static void add_key_figures(const EvolveFindings *findings, Report *report) {
    const RunOutcome *median = &findings->outcomes[findings_median_run(findings)];
    const bool has_several = findings->config->runs > 1;
    add_figure(report, "Training error", median->training_error, "cp",
               has_several ? "median run, all positions" : "all positions");
    if (!isnan(median->test_error))
        add_figure(report, "Test error", median->test_error, "cp", "never learned from");
    if (findings->limit == NULL)
        return;
    add_figure(report, "Certified optimum", limit_bound(findings->limit), "cp",
               "no weights can do better");
    add_figure(report, "Above the optimum", limit_distance(findings->limit, median->training_error),
               "%", "on the training set");
}

static Status add_curve(const EvolveFindings *findings, Report *report) {
    const size_t run = findings_median_run(findings);
    Str path = {0};
    run_directory(findings->files->directory, findings->config, (uint32_t)run, &path);
    str_add(&path, "/log.jsonl");
    LineReader *lines;
    Status status = lines_open(&lines, str_text(&path), LOG_LINE_MAX);
    if (status == OK) {
        Chart *chart = report_add_chart(report, &(ChartSpec){.title = "Mean error by generation",
                                                             .x_label = "generation",
                                                             .y_label = "centipawns",
                                                             .y_decimals = 2});
        const size_t best = chart_add_series(chart, "best"), mean = chart_add_series(chart, "mean");
        const size_t test = chart_add_series(chart, "held-out");
        StrView line;
        while ((status = lines_next(lines, &line)) == OK && line.text != NULL) {
            char text[LOG_LINE_MAX];
            RunLogLine entry;
            snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
            if ((status = run_log_parse(text, &entry)) != OK)
                break;
            chart_add_point(chart, best, entry.generation, entry.best);
            chart_add_point(chart, mean, entry.generation, entry.mean);
            chart_add_point(chart, test, entry.generation, entry.test);
        }
        if (findings->limit != NULL)
            chart_add_reference(chart, "optimum", limit_bound(findings->limit));
        lines_close(lines);
    }
    str_free(&path);
    return status;
}

static void add_run_row(Table *table, const EvolveFindings *findings, const char *name,
                        double sample, double training, double test) {
    table_add_text(table, name);
    table_add_number(table, sample);
    table_add_number(table, training);
    table_add_number(table, test);
    if (findings->limit != NULL)
        table_add_number(table, limit_distance(findings->limit, training));
}

static Table *start_errors(const EvolveFindings *findings, Report *report, const char *caption,
                           const char *what) {
    Table *table = report_add_table(report, caption);
    table_add_text_column(table, what);
    table_add_number_column(table, "last sample", 2);
    table_add_number_column(table, "training", 2);
    table_add_number_column(table, "test", 2);
    if (findings->limit != NULL)
        table_add_number_column(table, "above optimum, %", 2);
    return table;
}

static void add_runs(const EvolveFindings *findings, Report *report) {
    const size_t runs = (size_t)findings->config->runs;
    if (runs < 2)
        return;
    Table *table = start_errors(findings, report, "Independent runs", "run");
    Moments sample = {0}, training = {0}, test = {0};
    for (size_t i = 0; i < runs; i++) {
        const RunOutcome *outcome = &findings->outcomes[i];
        char name[32];
        snprintf(name, sizeof name, "%zu", i + 1);
        add_run_row(table, findings, name, outcome->sample_error, outcome->training_error,
                    outcome->test_error);
        moments_add(&sample, outcome->sample_error);
        moments_add(&training, outcome->training_error);
        moments_add(&test, outcome->test_error);
    }
    const RunOutcome *best = &findings->outcomes[findings_best_run(findings)];
    const RunOutcome *median = &findings->outcomes[findings_median_run(findings)];
    add_run_row(table, findings, "best", best->sample_error, best->training_error,
                best->test_error);
    add_run_row(table, findings, "median", median->sample_error, median->training_error,
                median->test_error);
    add_run_row(table, findings, "mean", sample.mean, training.mean, test.mean);
    table_add_text(table, "deviation");
    table_add_number(table, moments_deviation(&sample));
    table_add_number(table, moments_deviation(&training));
    table_add_number(table, moments_deviation(&test));
    if (findings->limit != NULL)
        table_add_number(table, 100 * moments_deviation(&training) / limit_bound(findings->limit));
}

static void fill_parameters(const EvolveFindings *findings, const Weights *weights, double *out) {
    const EvolveSpace *space = problem_space(findings->problem);
    for (size_t i = 0; i < space->count; i++)
        out[i] = i < weights->family->term_count ? weights->parameters[i] : 0;
}

// How others do on the same sets: the optimum itself, and the paper's values.
static Status add_comparison_row(const EvolveFindings *findings, Table *table, const char *name,
                                 const double *parameters) {
    double errors[SET_NB] = {NAN, NAN};
    for (int set = 0; set < SET_NB; set++) {
        const size_t size = problem_size(findings->problem, (ProblemSet)set);
        int64_t score;
        if (size == 0)
            continue;
        const Status status =
            problem_judge(findings->problem, (ProblemSet)set, parameters, 1, &score);
        if (status != OK)
            return status;
        errors[set] = problem_figure(findings->problem, (double)score, size);
    }
    add_run_row(table, findings, name, NAN, errors[SET_TRAINING], errors[SET_TEST]);
    return OK;
}

static Status add_comparison(const EvolveFindings *findings, Report *report) {
    const RunOutcome *median = &findings->outcomes[findings_median_run(findings)];
    const EvolveSpace *space = problem_space(findings->problem);
    double parameters[TERMS_MAX + 1];
    Status status = OK;
    Table *table = start_errors(findings, report, "Mean error in centipawns", "weights");
    add_run_row(table, findings, findings->config->runs > 1 ? "evolved (median run)" : "evolved",
                median->sample_error, median->training_error, median->test_error);
    if (findings->limit != NULL) {
        for (size_t i = 0; i < space->count; i++)
            parameters[i] = findings->limit->optimum.whole_weights[i];
        status = add_comparison_row(findings, table, "best whole numbers found", parameters);
    }
    if (status == OK && findings->paper != NULL) {
        fill_parameters(findings, findings->paper, parameters);
        status = add_comparison_row(findings, table, findings->paper_name, parameters);
    }
    return status;
}

static void add_values(const EvolveFindings *findings, Report *report) {
    const EvolveSpace *space = problem_space(findings->problem);
    const Limit *limit = findings->limit;
    const double *best = findings->outcomes[findings_median_run(findings)].best;
    const size_t terms = problem_family(findings->problem)->term_count;
    Table *table = report_add_table(report, "Values");
    table_add_text_column(table, "parameter");
    table_add_number_column(table, "evolved", 0);
    if (findings->paper != NULL)
        table_add_number_column(table, findings->paper_name, 0);
    if (limit != NULL) {
        table_add_number_column(table, "optimum", 1);
        table_add_number_column(table, "standard error", 1);
        table_add_number_column(table, "positions", 0);
        table_add_text_column(table, "remarks");
    }
    for (size_t i = 0; i < space->count; i++) {
        table_add_text(table, space->parameters[i].name);
        table_add_number(table, best[i]);
        if (findings->paper != NULL)
            table_add_number(table, i < terms ? findings->paper->parameters[i] : (double)NAN);
        if (limit == NULL)
            continue;
        const WeightEvidence *evidence = &limit->evidence[i];
        char remarks[160], text[256];
        identify_flags_text(evidence->flags, remarks, sizeof remarks);
        snprintf(text, sizeof text, "%s%s%s", remarks,
                 evidence->flags & IDENTIFY_COLLINEAR ? ", with " : "",
                 evidence->flags & IDENTIFY_COLLINEAR ? space->parameters[evidence->partner].name
                                                      : "");
        table_add_number(table, limit->optimum.weights[i]);
        table_add_number(table, evidence->standard_error);
        table_add_number(table, (double)evidence->positions);
        table_add_text(table, text);
    }
}

static void add_sources(const EvolveFindings *findings, Report *report) {
    Str text = {0};
    report_add_heading(report, "Where this comes from");
    for (int set = 0; set < SET_NB; set++) {
        str_clear(&text);
        problem_describe(findings->problem, (ProblemSet)set, &text);
        if (text.length > 0)
            report_add_paragraph(report, "%s: %s.", set == SET_TRAINING ? "Training" : "Test",
                                 str_text(&text));
    }
    str_clear(&text);
    run_config_write(findings->config, &text);
    report_add_code(report, str_text(&findings->config->command));
    report_add_code(report, str_text(&text));
    str_free(&text);
}

Status findings_report(const EvolveFindings *findings, Report **out) {
    const RunConfig *config = findings->config;
    Report *report = report_create("Evolution from a mentor");
    report_add_paragraph(report,
                         "%" PRId64 " run%s of %s from seed %" PRId64
                         "; errors are means of |mentor - organism| in centipawns.",
                         config->runs, config->runs == 1 ? "" : "s",
                         config->algorithm.algorithm->name, config->seed);
    add_key_figures(findings, report);
    Status status = add_curve(findings, report);
    if (status == OK)
        status = add_comparison(findings, report);
    add_runs(findings, report);
    add_values(findings, report);
    if (findings->limit != NULL)
        report_add_paragraph(
            report, "The optimum is that of the training set over all weights within the same "
                    "bounds; docs/optimum.md tells how it is proven. A standard error that is "
                    "large beside the value, or a remark, means that these positions cannot tell "
                    "what the value should be.");
    add_sources(findings, report);
    if (status == OK)
        *out = report;
    else
        report_destroy(report);
    return status;
}
