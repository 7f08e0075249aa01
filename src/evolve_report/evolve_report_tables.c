// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the report on weights: errors, values as in GECCO 2008's Fig. 3, and how far the
// positions determine them.
#include "evolve_report/evolve_report_internal.h"
#include "run/files/run_log.h"

#include <math.h>

// --- errors ---

static void add_error_row(Table *table, const EvolveFindings *findings, const char *name,
                          double sample, double training, double test) {
    table_add_text(table, name);
    TABLE_ADD_NUMBERS(table, sample, training, test);
    if (findings->optimum != NULL)
        table_add_number(table, certified_distance(findings->optimum, training));
}

static Table *start_errors(const EvolveFindings *findings, Report *report, const char *caption) {
    Table *table = report_add_table(report, caption);
    table_add_columns(table, "weights|last sample:2|training:2|test:2");
    if (findings->optimum != NULL)
        table_add_number_column(table, "above optimum, %", 2);
    return table;
}

static Status judge(const EvolveFindings *findings, const char *name, const double *parameters,
                    double figures[SET_NB]) {
    Problem *problem = findings->problem;
    for (int set = 0; set < SET_NB; set++) {
        figures[set] = NAN;
        const size_t size = problem_size(problem, (ProblemSet)set);
        int64_t score;
        if (size == 0)
            continue;
        TRY(problem_judge(problem, (ProblemSet)set, parameters, 1, &score));
        figures[set] = problem_figure(problem, (double)score, size);
    }
    return isnan(figures[SET_TEST])
               ? OK
               : run_log_reading(findings->files->directory, name, figures[SET_TEST]);
}

static const char optimum_name[] = "best whole numbers found";

Status evolve_findings_judge(EvolveFindings *findings) {
    const size_t count = problem_space(findings->problem)->count;
    const size_t terms = problem_family(findings->problem)->term_count;
    double parameters[TERMS_MAX + 1];
    if (findings->optimum != NULL) {
        for (size_t i = 0; i < count; i++)
            parameters[i] = findings->optimum->result.whole_weights[i];
        TRY(judge(findings, optimum_name, parameters, findings->optimum_figures));
    }
    if (findings->paper != NULL) {
        for (size_t i = 0; i < count; i++)
            parameters[i] = i < terms ? findings->paper->parameters[i] : 0;
        TRY(judge(findings, findings->paper_name, parameters, findings->paper_figures));
    }
    return evolve_findings_judge_mentors(findings);
}

void evolve_findings_add_errors(const EvolveFindings *findings, Report *report) {
    const RunOutcome *median = &findings->outcomes[evolve_findings_median_run(findings)];
    const ProblemGoal *goal = problem_goal(findings->problem);
    const double *optimum = findings->optimum_figures, *paper = findings->paper_figures;
    char caption[64];
    snprintf(caption, sizeof caption, "%s in %s",
             goal->per_position > 0                ? "Match"
             : problem_can_play(findings->problem) ? "Mean effort"
                                                   : "Mean error",
             goal->unit);
    Table *table = start_errors(findings, report, caption);
    add_error_row(table, findings, findings->config->runs > 1 ? "evolved, median run" : "evolved",
                  median->sample_error, median->training_error, median->test_error);
    if (findings->optimum != NULL)
        add_error_row(table, findings, optimum_name, NAN, optimum[SET_TRAINING], optimum[SET_TEST]);
    if (findings->paper != NULL)
        add_error_row(table, findings, findings->paper_name, NAN, paper[SET_TRAINING],
                      paper[SET_TEST]);
}

// --- values ---

static void add_range(const EvolveFindings *findings, size_t parameter, Table *table) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)findings->config->runs; i++) {
        low = fmin(low, findings->outcomes[i].best[parameter]);
        high = fmax(high, findings->outcomes[i].best[parameter]);
    }
    TABLE_ADD_NUMBERS(table, evolve_findings_shown_value(findings, parameter, low),
                      evolve_findings_shown_value(findings, parameter, high));
}

void evolve_findings_add_values(const EvolveFindings *findings, Report *report) {
    const EvolveSpace *space = problem_space(findings->problem);
    const double *evolved = findings->outcomes[evolve_findings_median_run(findings)].best;
    const size_t terms = problem_family(findings->problem)->term_count;
    const bool has_several = findings->config->runs > 1;
    Table *table = report_add_table(report, has_several ? "Values of the median run, and the "
                                                          "lowest and highest of all runs"
                                                        : "Values");
    const int decimals = problem_family(findings->problem)->unit == 1 ? 0 : 1;
    table_add_text_column(table, "parameter");
    table_add_number_column(table, "evolved", decimals);
    if (has_several) {
        table_add_number_column(table, "lowest", decimals);
        table_add_number_column(table, "highest", decimals);
    }
    if (findings->paper != NULL)
        table_add_number_column(table, findings->paper_name, decimals);
    if (findings->optimum != NULL)
        table_add_number_column(table, "optimum", 1);
    for (size_t i = 0; i < space->count; i++) {
        // Of a search most is as it was set by hand.
        if (problem_can_play(findings->problem) && !evolve_findings_is_free(findings, i))
            continue;
        table_add_text(table, space->parameters[i].name);
        table_add_number(table, evolve_findings_shown_value(findings, i, evolved[i]));
        if (has_several)
            add_range(findings, i, table);
        if (findings->paper != NULL)
            table_add_number(table, i < terms ? evolve_findings_shown_value(
                                                    findings, i, findings->paper->parameters[i])
                                              : (double)NAN);
        if (findings->optimum != NULL)
            table_add_number(table, findings->optimum->result.weights[i]);
    }
}

static void add_remarks(const WeightEvidence *evidence, const EvolveSpace *space, Table *table) {
    char flags[160];
    CLEANUP(str_free) Str text = {0};
    str_add(&text, identify_flags_text(evidence->flags, flags, sizeof flags));
    if (evidence->flags & IDENTIFY_COLLINEAR)
        str_addf(&text, " (like %s)", space->parameters[evidence->partner].name);
    table_add_text(table, str_text(&text));
}

void evolve_findings_add_evidence(const EvolveFindings *findings, Report *report) {
    const EvolveSpace *space = problem_space(findings->problem);
    if (findings->optimum == NULL)
        return;
    report_add_heading(report, "What the positions can tell");
    report_add_paragraph(
        report, "Counted: positions of the training set in which the two sides do not have the "
                "same of it. Standard error: of the optimal value, in centipawns. Inflation: how "
                "much of its variance is due to other parameters that vary with it; 1 is none. "
                "Where the error is large beside the value, or there is a remark, another value "
                "would do nearly as well. docs/optimum.md tells how these are computed.");
    Table *table = report_add_table(report, "How far each value is determined");
    table_add_columns(table, "parameter|optimum:1|standard error:1|counted:0|inflation:1|remarks");
    for (size_t i = 0; i < space->count; i++) {
        const WeightEvidence *evidence = &findings->optimum->evidence[i];
        table_add_text(table, space->parameters[i].name);
        TABLE_ADD_NUMBERS(table, findings->optimum->result.weights[i], evidence->standard_error,
                          (double)evidence->positions, evidence->inflation);
        add_remarks(evidence, space, table);
    }
}
