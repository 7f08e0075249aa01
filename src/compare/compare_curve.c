// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of several groups of runs over each other: the median of each, with a band from quartile
// to quartile.
#include "base/mem.h"
#include "compare/compare.h"

#include <math.h>

enum { GRID_POINTS = 120 };

// From where all runs of a group have a value, to where the first of them ends.
typedef struct Span {
    double from, to;
} Span;

static Span span_of(const CompareGroup *group, CompareWhen when) {
    Span span = {0, INFINITY};
    for (size_t i = 0; i < group->count; i++) {
        const CompareRun *run = &group->runs[i];
        span.from = fmax(span.from, run->points[0].reached[when]);
        span.to = fmin(span.to, run->points[run->count - 1].reached[when]);
    }
    return span;
}

// The points of all groups stand above each other, so that they make rows of a table.
static double grid_at(Span all, CompareWhen when, size_t index) {
    const double share = (double)index / (GRID_POINTS - 1);
    const double at = all.from * pow(all.to / all.from, share);
    return when == WHEN_EVALUATIONS ? round(at) : at;
}

static void add_point(const Comparison *comparison, const CompareGroup *group, CompareWhen when,
                      double at, size_t series, Chart *chart) {
    CLEANUP(mem_free_at) double *values = mem_alloc(group->count * sizeof *values);
    for (size_t i = 0; i < group->count; i++)
        values[i] = compare_value_at(comparison, group, &group->runs[i], when, at);
    const double median = rank_quantile(values, group->count, 0.5);
    if (group->count == 1)
        chart_add_point(chart, series, at, median);
    else
        chart_add_range(chart, series, at, median, rank_quantile(values, group->count, 0.25),
                        rank_quantile(values, group->count, 0.75));
}

static void add_series(const Comparison *comparison, size_t index, Span all, CompareWhen when,
                       Chart *chart) {
    const CompareGroup *group = &comparison->groups[index];
    const Span span = span_of(group, when);
    const size_t series = chart_add_series(chart, group->name);
    double before = 0;
    for (size_t i = 0; i < GRID_POINTS; i++) {
        const double at = grid_at(all, when, i);
        if (at <= before || at < span.from || at > span.to)
            continue;
        add_point(comparison, group, when, at, series, chart);
        before = at;
    }
    if (span.to > before && span.to >= span.from)
        add_point(comparison, group, when, span.to, series, chart);
}

// What all groups span together; times of zero have no place on a log scale.
static Span span_of_all(const Comparison *comparison, CompareWhen when) {
    static const double soonest[WHEN_NB] = {[WHEN_EVALUATIONS] = 1, [WHEN_SECONDS] = 1e-4};
    Span all = {INFINITY, 0};
    for (size_t i = 0; i < comparison->count; i++) {
        const Span span = span_of(&comparison->groups[i], when);
        all.from = fmin(all.from, span.from);
        all.to = fmax(all.to, span.to);
    }
    all.from = fmax(all.from, soonest[when]);
    all.to = fmax(all.to, all.from);
    return all;
}

void compare_add_chart(const Comparison *comparison, CompareWhen when, Report *report) {
    const ProblemGoal *goal = comparison->goal;
    if (comparison->moments[when].why[0] != '\0')
        return;
    const bool by_time = when == WHEN_SECONDS;
    const Span all = span_of_all(comparison, when);
    Chart *chart =
        report_add_chart(report, &(ChartSpec){.title = by_time ? "By time (log scale)"
                                                               : "By evaluations (log scale)",
                                              .x_label = by_time ? "seconds" : "evaluations",
                                              .y_label = goal->unit,
                                              .is_log_x = true,
                                              .is_log_y = goal->per_position < 0,
                                              .x_decimals = by_time ? 3 : 0,
                                              .y_decimals = 2});
    for (size_t i = 0; i < comparison->count; i++)
        add_series(comparison, i, all, when, chart);
}
