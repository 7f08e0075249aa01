// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/evolve_report.h"

#include "study/evolve_report_internal.h"

#include <inttypes.h>
#include <math.h>

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

// --- the parts that are words ---

static void add_opening(const EvolveFindings *findings, Report *report) {
    const RunConfig *config = findings->config;
    const size_t all = problem_size(findings->problem, SET_TRAINING);
    const size_t sample = problem_sample_size(findings->problem);
    Str text = {0};
    str_addf(&text, "%" PRId64 " run%s of the algorithm %s, seed %" PRId64 ", judged on ",
             config->runs, config->runs == 1 ? "" : "s", config->algorithm.algorithm->name,
             config->seed);
    if (sample == all)
        str_addf(&text, "all %zu positions of the training set in each generation", all);
    else
        str_addf(&text,
                 "%zu positions of the training set, of %zu, drawn afresh in each generation",
                 sample, all);
    str_add(&text, ". An error is the mean of |mentor - organism| over positions, in centipawns.");
    report_add_paragraph(report, "%s", str_text(&text));
    str_free(&text);
}

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
               has_several ? "all positions, median run" : "all positions");
    if (!isnan(median->test_error))
        add_figure(report, "Test error", median->test_error, "cp", "never learned from");
    if (findings->limit == NULL)
        return;
    add_figure(report, "Certified optimum", limit_bound(findings->limit), "cp",
               "no weights can do better");
    add_figure(report, "Above the optimum", limit_distance(findings->limit, median->training_error),
               "%", "on the training set");
}

static void add_sources(const EvolveFindings *findings, Report *report) {
    Str text = {0};
    report_add_heading(report, "Data and settings");
    for (int set = 0; set < SET_NB; set++) {
        str_clear(&text);
        problem_describe(findings->problem, (ProblemSet)set, &text);
        if (text.length > 0)
            report_add_paragraph(report, "%s: %s.", set == SET_TRAINING ? "Training" : "Test",
                                 str_text(&text));
    }
    report_add_paragraph(report, "The command, and every setting as it was resolved:");
    report_add_code(report, str_text(&findings->config->command));
    str_clear(&text);
    run_config_write(findings->config, &text);
    report_add_code(report, str_text(&text));
    str_free(&text);
}

// --- the whole ---

static Status create(const EvolveFindings *findings, bool is_summary, Report **out) {
    Report *report = report_create("Evolution from a mentor");
    add_opening(findings, report);
    add_key_figures(findings, report);
    Status status = findings_add_curve(findings, report);
    if (status == OK)
        status = findings_add_errors(findings, report);
    if (status != OK) {
        report_destroy(report);
        return status;
    }
    findings_add_runs(findings, report, is_summary);
    findings_add_values(findings, report);
    if (!is_summary) {
        findings_add_evidence(findings, report);
        add_sources(findings, report);
    }
    *out = report;
    return OK;
}

Status findings_summary(const EvolveFindings *findings, Report **out) {
    return create(findings, true, out);
}

Status findings_report(const EvolveFindings *findings, Report **out) {
    return create(findings, false, out);
}
