// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of runs beside each other: tables, verdicts, and the page with their curves.
#include "base/mem.h"
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- figures of a group ---

// From the least to the greatest of a sample.
typedef struct Spread {
    double least, lower, median, upper, greatest;
} Spread;

static Spread spread_of(const double *values, size_t count) {
    CLEANUP(mem_free_at) double *sorted = mem_alloc((count + 1) * sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    return (Spread){rank_quantile(sorted, count, 0), rank_quantile(sorted, count, 0.25),
                    rank_quantile(sorted, count, 0.5), rank_quantile(sorted, count, 0.75),
                    rank_quantile(sorted, count, 1)};
}

// How much a run of the group used up, as a rule.
static double median_used(const CompareGroup *group, CompareWhen when) {
    CLEANUP(mem_free_at) double *used = mem_alloc((group->count + 1) * sizeof *used);
    size_t told = 0;
    for (size_t i = 0; i < group->count; i++) {
        const CompareRun *run = &group->runs[i];
        if (run->count > 0 && !isnan(run->points[run->count - 1].reached[when]))
            used[told++] = run->points[run->count - 1].reached[when];
    }
    return rank_quantile(used, told, 0.5);
}

// "at the end", "after 20000 evaluations", "after 3.25 seconds".
static void describe_when(const Comparison *comparison, CompareWhen when, Str *out) {
    const double at = comparison->moments[when].at;
    if (when == WHEN_ENDED)
        str_add(out, "at the end");
    else if (when == WHEN_EVALUATIONS)
        str_addf(out, "after %.0f evaluations", at);
    else
        str_addf(out, "after %.4g seconds", at);
}

// --- words ---

// Vargha and Delaney's names for sizes of their effect.
static const char *size_of(double superior) {
    const double off = fabs(superior - 0.5);
    return off < 0.06 ? "negligible" : off < 0.14 ? "small" : off < 0.21 ? "medium" : "large";
}

void compare_verdict(const Comparison *comparison, const ComparePair *pair, Str *out) {
    if (pair->has_too_few) {
        str_add(out, "cannot tell: too few runs");
        return;
    }
    if (!(pair->adjusted_p <= COMPARE_LIMIT)) {
        str_add(out, "cannot tell");
        return;
    }
    const size_t better = pair->test.superior > 0.5 ? pair->first : pair->second;
    str_addf(out, "%s is better (%s effect)", comparison->groups[better].name,
             size_of(pair->test.superior));
}

static void explain_figures(const Comparison *comparison, Report *report) {
    const ProblemGoal *goal = comparison->goal;
    if (comparison->groups[0].fitness == FITNESS_GAMES) {
        report_add_paragraph(report,
                             "Figures are the points, in percent, of what each run ended with "
                             "against what it began with (verdict.csv); more is better. Where "
                             "algorithms begin with other players, so do their opponents differ.");
        return;
    }
    report_add_paragraph(report, "%s Figures are of each run's best.weights on the %s set; %s.",
                         goal->meaning, compare_on_names[comparison->on],
                         goal->per_position < 0 ? "less is better" : "more is better");
}

// What the figures before the end are of.
static void explain_curves(const Comparison *comparison, Report *report) {
    bool draws_afresh = false, is_mixed = false;
    for (size_t i = 0; i < comparison->count; i++) {
        draws_afresh = draws_afresh || comparison->groups[i].draws_afresh;
        is_mixed =
            is_mixed || comparison->groups[i].draws_afresh != comparison->groups[0].draws_afresh;
    }
    CLEANUP(str_free) Str text = {0};
    str_add(&text, "Figures before the end are from log.jsonl: ");
    str_add(&text, is_mixed       ? "the best organism so far, or where generations are judged on "
                                    "positions of their own that of the last generation"
                   : draws_afresh ? "the best organism of the last generation"
                                  : "the best organism so far");
    str_addf(&text, ", on the %s.",
             !comparison->by_held_out
                 ? (draws_afresh ? "positions of its generation" : "training positions")
             : comparison->goal->watched == SET_TEST ? "test set"
                                                     : "validation positions");
    if (!comparison->by_held_out && is_mixed)
        str_add(&text, " These are not the same positions for all runs: compare with care.");
    report_add_paragraph(report, "%s Times are of the machine and the threads that each run had.",
                         str_text(&text));
}

static void explain_tests(const Comparison *comparison, Report *report) {
    CLEANUP(str_free) Str text = {0};
    str_add(&text,
            "p: two-sided rank-sum test (Mann and Whitney), exact where no two runs are equal and "
            "neither side has more than 50, else by the normal approximation with ties. ");
    if (comparison->count > 2)
        str_add(&text, "Adjusted p: for several pairs (Holm); verdicts go by it. ");
    report_add_paragraph(report,
                         "%sA12: the chance that a run of the first is better than one of the "
                         "second (Vargha and Delaney); delta: 2 A12 - 1 (Cliff). \"Cannot tell\" "
                         "means p above %.2f, not that they are equal.",
                         str_text(&text), COMPARE_LIMIT);
}

// --- tables ---

static void add_groups(const Comparison *comparison, CompareWhen when, const char *caption,
                       Report *report) {
    const bool less_is_better = comparison->goal->per_position < 0, is_end = when == WHEN_ENDED;
    Table *table = report_add_table(report, caption);
    table_add_columns(table,
                      "folder|algorithm|runs:0|best:2|quartile:2|median:2|quartile:2|worst:2");
    if (is_end)
        table_add_columns(table, "evaluations:0|seconds:2");
    for (size_t i = 0; i < comparison->count; i++) {
        const CompareGroup *group = &comparison->groups[i];
        const Spread spread = spread_of(comparison->moments[when].values[i], group->count);
        table_add_text(table, group->name);
        table_add_text(table, str_text(&group->algorithm));
        table_add_number(table, (double)group->count);
        if (less_is_better)
            TABLE_ADD_NUMBERS(table, spread.least, spread.lower, spread.median, spread.upper,
                              spread.greatest);
        else
            TABLE_ADD_NUMBERS(table, spread.greatest, spread.upper, spread.median, spread.lower,
                              spread.least);
        if (is_end)
            TABLE_ADD_NUMBERS(table, median_used(group, WHEN_EVALUATIONS),
                              median_used(group, WHEN_SECONDS));
    }
}

static void add_pairs(const Comparison *comparison, CompareWhen when, const char *caption,
                      Report *report) {
    const CompareMoment *moment = &comparison->moments[when];
    const bool is_adjusted = comparison->count > 2;
    Table *table = report_add_table(report, caption);
    table_add_columns(table, "first|second|U:1|p:4");
    if (is_adjusted)
        table_add_columns(table, "adjusted p:4");
    table_add_columns(table, "A12:3|delta:3|verdict");
    for (size_t i = 0; i < moment->pair_count; i++) {
        const ComparePair *pair = &moment->pairs[i];
        CLEANUP(str_free) Str verdict = {0};
        compare_verdict(comparison, pair, &verdict);
        table_add_text(table, comparison->groups[pair->first].name);
        table_add_text(table, comparison->groups[pair->second].name);
        TABLE_ADD_NUMBERS(table, pair->test.u, pair->test.p);
        if (is_adjusted)
            table_add_number(table, pair->adjusted_p);
        TABLE_ADD_NUMBERS(table, pair->test.superior, pair->test.delta);
        table_add_text(table, str_text(&verdict));
    }
}

static void add_moment(const Comparison *comparison, CompareWhen when, bool has_chart,
                       Report *report) {
    static const char *const titles[WHEN_NB] = {"At the end", "At equal evaluations",
                                                "At equal time"};
    const CompareMoment *moment = &comparison->moments[when];
    CLEANUP(str_free) Str at = {0};
    CLEANUP(str_free) Str caption = {0};
    report_add_heading(report, titles[when]);
    if (moment->why[0] != '\0') {
        report_add_paragraph(report, "Not compared: %s.", moment->why);
        return;
    }
    describe_when(comparison, when, &at);
    if (has_chart && when != WHEN_ENDED) {
        compare_add_chart(comparison, when, report);
        report_add_paragraph(report, "Lines are medians, bands reach from quartile to quartile of "
                                     "the runs. A line ends where the first of its runs does.");
    }
    str_setf(&caption, "Runs %s", str_text(&at));
    add_groups(comparison, when, str_text(&caption), report);
    str_setf(&caption, "Pairs %s", str_text(&at));
    add_pairs(comparison, when, str_text(&caption), report);
}

Report *compare_report(const Comparison *comparison, bool has_charts) {
    Report *report = report_create("Runs of evolution, compared");
    explain_figures(comparison, report);
    for (int when = 0; when < WHEN_NB; when++)
        add_moment(comparison, (CompareWhen)when, has_charts, report);
    report_add_heading(report, "What the figures are");
    if (comparison->moments[WHEN_EVALUATIONS].why[0] == '\0')
        explain_curves(comparison, report);
    explain_tests(comparison, report);
    return report;
}

// --- for machines ---

static void add_spread(const Comparison *comparison, const CompareMoment *moment, size_t group,
                       Table *table) {
    const Spread spread = spread_of(moment->values[group], comparison->groups[group].count);
    TABLE_ADD_NUMBERS(table, (double)comparison->groups[group].count, spread.least, spread.lower,
                      spread.median, spread.upper, spread.greatest);
}

Table *compare_table(const Comparison *comparison) {
    static const char *const names[WHEN_NB] = {"end", "evaluations", "seconds"};
    Table *table = table_create("pairs");
    table_add_columns(table, "equal|at:3|on|first|second"
                             "|first_runs:0|first_min:4|first_q1:4|first_median:4|first_q3:4"
                             "|first_max:4|second_runs:0|second_min:4|second_q1:4|second_median:4"
                             "|second_q3:4|second_max:4|u:1|p:6|p_adjusted:6|a12:4|delta:4|exact:0"
                             "|verdict");
    for (int when = 0; when < WHEN_NB; when++) {
        const CompareMoment *moment = &comparison->moments[when];
        for (size_t i = 0; i < moment->pair_count; i++) {
            const ComparePair *pair = &moment->pairs[i];
            CLEANUP(str_free) Str verdict = {0};
            compare_verdict(comparison, pair, &verdict);
            table_add_text(table, names[when]);
            table_add_number(table, when == WHEN_ENDED ? (double)NAN : moment->at);
            table_add_text(table, compare_on_names[comparison->on]);
            table_add_text(table, comparison->groups[pair->first].name);
            table_add_text(table, comparison->groups[pair->second].name);
            add_spread(comparison, moment, pair->first, table);
            add_spread(comparison, moment, pair->second, table);
            TABLE_ADD_NUMBERS(table, pair->test.u, pair->test.p, pair->adjusted_p,
                              pair->test.superior, pair->test.delta, pair->test.is_exact);
            table_add_text(table, str_text(&verdict));
        }
    }
    return table;
}
