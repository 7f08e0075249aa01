// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the report that is about several mentors: how they measure, how far they are apart,
// what each of them thinks of the organism, and what can be traded between them.
#include "evolve_report/evolve_report_internal.h"
#include "run/files/run_log.h"

#include <math.h>

// --- judgement ---

static Status judge_one(EvolveFindings *findings, size_t mentor, ProblemSet set) {
    const double *best = findings->outcomes[evolve_findings_median_run(findings)].best;
    double *figure = &findings->mentor_figures[mentor][set];
    *figure = NAN;
    if (problem_size(findings->problem, set) == 0)
        return OK;
    TRY(mentor_data_judge(findings->problem, set, mentor, best, figure));
    if (set != SET_TEST)
        return OK;
    CLEANUP(str_free) Str name = {0};
    str_add(&name, "best by ");
    problem_mentor_name(findings->problem, mentor, &name);
    return run_log_reading(findings->files->directory, str_text(&name), *figure);
}

Status evolve_findings_judge_mentors(EvolveFindings *findings) {
    MentorData mentors;
    if (!mentor_data_of_several(findings->problem, SET_TRAINING, &mentors))
        return OK;
    for (size_t m = 0; m < mentors.set->mentors; m++)
        for (int set = 0; set < SET_NB; set++)
            TRY(judge_one(findings, m, (ProblemSet)set));
    return OK;
}

// --- tables ---

static void add_name(const EvolveFindings *findings, size_t mentor, Table *table) {
    CLEANUP(str_free) Str name = {0};
    problem_mentor_name(findings->problem, mentor, &name);
    table_add_text(table, str_text(&name));
}

static void add_scales(const EvolveFindings *findings, const MentorData *mentors, Report *report) {
    const Consensus *consensus = &mentors->panel->consensus;
    Table *table = report_add_table(report, "Mentors");
    table_add_columns(table, "mentor|scale:3|offset:1|training error:2|test error:2");
    for (size_t m = 0; m < consensus->mentors; m++) {
        add_name(findings, m, table);
        TABLE_ADD_NUMBERS(table, consensus->scale[m], consensus->offset[m],
                          findings->mentor_figures[m][SET_TRAINING],
                          findings->mentor_figures[m][SET_TEST]);
    }
    report_add_paragraph(report,
                         "A mentor says scale times the common score, plus offset (centipawns). "
                         "Errors are those of the evolved weights by this mentor alone, in the "
                         "common measure.");
}

static void add_differences(const EvolveFindings *findings, const MentorData *mentors,
                            Report *report) {
    const Consensus *consensus = &mentors->panel->consensus;
    const size_t count = mentors->set->matrix.count;
    Table *table = report_add_table(report, "How far mentors are apart, in centipawns");
    table_add_columns(table, "mentor|and|as told:2|in one measure:2");
    for (size_t a = 0; a < consensus->mentors; a++)
        for (size_t b = a + 1; b < consensus->mentors; b++) {
            add_name(findings, a, table);
            add_name(findings, b, table);
            for (int measured = 0; measured < 2; measured++)
                table_add_number(table, consensus_difference(consensus, mentors->set->scores, count,
                                                             a, b, measured));
        }
    report_add_paragraph(report, "The mean absolute difference of two mentors' scores over the "
                                 "training set, before and after their scales and offsets were "
                                 "taken out.");
}

// --- the front ---

// Of two mentors the one is drawn over the other; of more, all of them over the points.
static void draw_front(const EvolveFindings *findings, Report *report) {
    const Front *front = findings->front;
    const bool is_pair = front->mentors == 2;
    CLEANUP(str_free) Str first = {0};
    CLEANUP(str_free) Str name = {0};
    str_add(&first, "error by ");
    problem_mentor_name(findings->problem, 0, &first);
    Chart *chart =
        report_add_chart(report, &(ChartSpec){.title = "What can be traded between mentors",
                                              .x_label = is_pair ? str_text(&first) : "point",
                                              .y_label = "centipawns",
                                              .x_decimals = is_pair ? 2 : 0,
                                              .y_decimals = 2});
    for (size_t m = is_pair; m < front->mentors; m++) {
        str_setf(&name, "error by ");
        problem_mentor_name(findings->problem, m, &name);
        const size_t series = chart_add_series(chart, str_text(&name));
        for (size_t i = 0; i < front->count; i++)
            chart_add_point(chart, series, is_pair ? front->points[i].errors[0] : (double)i + 1,
                            front->points[i].errors[m]);
    }
}

static void add_front(const EvolveFindings *findings, Report *report) {
    const Front *front = findings->front;
    draw_front(findings, report);
    Table *table = report_add_table(report, "The front on the training set");
    table_add_number_column(table, "point", 0);
    for (int is_error = 0; is_error < 2; is_error++)
        for (size_t m = 0; m < front->mentors; m++) {
            CLEANUP(str_free) Str name = {0};
            str_add(&name, is_error ? "error by " : "share of ");
            problem_mentor_name(findings->problem, m, &name);
            table_add_number_column(table, str_text(&name), 2);
        }
    for (size_t i = 0; i < front->count; i++) {
        table_add_number(table, (double)i + 1);
        for (size_t m = 0; m < front->mentors; m++)
            table_add_number(table, front->points[i].shares[m]);
        for (size_t m = 0; m < front->mentors; m++)
            table_add_number(table, front->points[i].errors[m]);
    }
    report_add_paragraph(report,
                         "Each point has the least error of one mixture of the mentors (whole "
                         "weights; docs/optimum.md), and no other is better by all mentors: %zu of "
                         "%zu mixtures tried. front.csv has their parameters, front-01.weights and "
                         "so on are organisms.",
                         front->count, front->tried);
}

void evolve_findings_add_mentors(const EvolveFindings *findings, Report *report) {
    MentorData mentors;
    if (!mentor_data_of_several(findings->problem, SET_TRAINING, &mentors))
        return;
    add_scales(findings, &mentors, report);
    add_differences(findings, &mentors, report);
    if (findings->front != NULL)
        add_front(findings, report);
}
