// SPDX-License-Identifier: GPL-3.0-or-later
// CEC 2001's Figs. 5 and 6, and the values that the runs end with.
#include "papers/cec2001.h"

static void show_means(const CecCourse *course, Report *report) {
    Chart *chart = report_add_chart(
        report, &(ChartSpec){.title = "Fig. 5: mean of each weight over the population, with its "
                                      "deviation (mean of all runs; dotted: where the paper ended)",
                             .x_label = "generation",
                             .y_label = "pawns",
                             .y_decimals = 2});
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const size_t series = chart_add_series(chart, cec_weights[i].name);
        for (size_t g = 0; g < course->generations; g++) {
            const CecRange at = cec_course_range(course, g, i);
            chart_add_range(chart, series, (double)g + 1, at.mean, at.mean - at.deviation,
                            at.mean + at.deviation);
        }
    }
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        Str name = {0};
        str_addf(&name, "paper's %s", cec_weights[i].name);
        chart_add_reference(chart, str_text(&name), cec_weights[i].developed);
        str_free(&name);
    }
}

static void show_deviations(const CecCourse *course, Report *report) {
    Chart *chart = report_add_chart(
        report,
        &(ChartSpec){.title = "Fig. 6: deviation of each weight over the population (mean of all "
                              "runs)",
                     .x_label = "generation",
                     .y_label = "pawns",
                     .is_log_y = true,
                     .y_decimals = 2});
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const size_t series = chart_add_series(chart, cec_weights[i].name);
        for (size_t g = 0; g < course->generations; g++)
            chart_add_point(chart, series, (double)g + 1, cec_course_range(course, g, i).deviation);
    }
    chart_add_reference(chart, "stirred below this", 0.2);
}

static void add_ranges(Chart *chart, const CecCourse *course, const char *name, size_t weight) {
    const size_t series = chart_add_series(chart, name);
    for (size_t g = 0; g < course->generations; g++) {
        const CecRange range = cec_course_range(course, g, weight);
        chart_add_range(chart, series, (double)g + 1, range.mean, range.low, range.high);
    }
}

// One chart a weight: the scales differ too much for one.
static void show_runs(const CecFindings *findings, Report *report) {
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        Str title = {0};
        str_addf(&title,
                 "The %s with and without the seed: mean of all runs, from the least to "
                 "the greatest",
                 cec_weights[i].name);
        Chart *chart = report_add_chart(report, &(ChartSpec){.title = str_text(&title),
                                                             .x_label = "generation",
                                                             .y_label = "pawns",
                                                             .y_decimals = 2});
        add_ranges(chart, &findings->courses[0], "seeded", i);
        add_ranges(chart, &findings->unseeded, "not seeded", i);
        chart_add_reference(chart, "the paper", cec_weights[i].developed);
        str_free(&title);
    }
}

static void add_numbers(Table *table, const char *name, const double *values, size_t count) {
    table_add_text(table, name);
    for (size_t i = 0; i < count; i++)
        table_add_number(table, values[i]);
}

static void show_values(const CecFindings *findings, Report *report) {
    const CecCourse *seeded = &findings->courses[0], *unseeded = &findings->unseeded;
    Table *table = report_add_table(report, "Where the weights end, in pawns");
    table_add_text_column(table, "weight");
    table_add_number_column(table, "the paper", 2);
    table_add_number_column(table, "here", 2);
    table_add_number_column(table, "least", 2);
    table_add_number_column(table, "greatest", 2);
    table_add_number_column(table, "% of the paper's", 0);
    table_add_number_column(table, "not seeded", 2);
    table_add_number_column(table, "its least", 2);
    table_add_number_column(table, "its greatest", 2);
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const double paper = cec_weights[i].developed;
        const CecRange with = cec_course_range(seeded, seeded->generations - 1, i);
        const CecRange without = cec_course_range(unseeded, unseeded->generations - 1, i);
        const double cells[] = {
            paper,        with.mean,   with.low,    with.high, 100 * with.mean / paper,
            without.mean, without.low, without.high};
        add_numbers(table, cec_weights[i].name, cells, sizeof cells / sizeof *cells);
    }
}

static void show_spreads(const CecCourse *course, Report *report) {
    Table *table = report_add_table(
        report, "Means and deviations over the population at the start, and deviations at the end");
    table_add_text_column(table, "weight");
    table_add_number_column(table, "paper, mean", 2);
    table_add_number_column(table, "here after generation 1", 2);
    table_add_number_column(table, "paper, deviation", 2);
    table_add_number_column(table, "here, deviation after it", 2);
    table_add_number_column(table, "paper, at the end", 2);
    table_add_number_column(table, "here, at the end", 2);
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const CecWeight *paper = &cec_weights[i];
        const CecRange first = cec_course_range(course, 0, i);
        const CecRange last = cec_course_range(course, course->generations - 1, i);
        const double cells[] = {paper->undeveloped, first.mean,       paper->start_deviation,
                                first.deviation,    paper->deviation, last.deviation};
        add_numbers(table, paper->name, cells, sizeof cells / sizeof *cells);
    }
}

static void show_verdicts(const CecFindings *findings, Report *report) {
    Table *table = page_add_matches(report, "Developed against undeveloped players of all runs");
    page_add_match(table, "seeded", &findings->verdicts[0], "");
    page_add_match(table, "not seeded", &findings->unseeded_verdict, "");
    for (int i = 1; i < CEC_POPULATIONS; i++) {
        Str name = {0};
        str_addf(&name, "seeded, %d members", cec_populations[i].members);
        page_add_match(table, str_text(&name), &findings->verdicts[i], "");
        str_free(&name);
    }
}

void cec_show_evolution(const CecFindings *findings, Report *report) {
    show_means(&findings->courses[0], report);
    show_deviations(&findings->courses[0], report);
    show_values(findings, report);
    show_spreads(&findings->courses[0], report);
    show_runs(findings, report);
    show_verdicts(findings, report);
}
