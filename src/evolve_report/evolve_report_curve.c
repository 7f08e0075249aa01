// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of GECCO 2008's Fig. 2, with a band around it when there are several runs.
#include "base/mem.h"
#include "evolve_report/evolve_report_internal.h"
#include "run/files/run_log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BEST, MEAN, WATCHED, DIVERSITY, SERIES_NB };

// A generation of the run that is shown, and the range of it over all runs.
typedef struct Point {
    uint32_t generation;
    double shown[SERIES_NB], low[SERIES_NB], high[SERIES_NB];
} Point;

typedef struct Curve {
    Point *points;
    size_t count, capacity;
} Curve;

static void curve_free(Curve *curve) {
    free(curve->points);
}

static void add_point(Curve *curve, uint32_t generation, const double *values) {
    Point *point = &MEM_ADD(curve->points, curve->count, curve->capacity);
    point->generation = generation;
    for (int i = 0; i < SERIES_NB; i++)
        point->shown[i] = point->low[i] = point->high[i] = values[i];
}

static void widen_point(Point *point, const double *values) {
    for (int i = 0; i < SERIES_NB; i++) {
        point->low[i] = fmin(point->low[i], values[i]);
        point->high[i] = fmax(point->high[i], values[i]);
    }
}

// A line of the run that is shown is a point; one of another run widens the point there is.
static void take_shown(void *context, size_t index, const RunLogLine *line) {
    (void)index;
    add_point(context, line->generation,
              (double[SERIES_NB]){line->best, line->mean, line->held_out, line->diversity});
}

static void take_other(void *context, size_t index, const RunLogLine *line) {
    Curve *curve = context;
    if (index < curve->count && curve->points[index].generation == line->generation)
        widen_point(&curve->points[index],
                    (double[SERIES_NB]){line->best, line->mean, line->held_out, line->diversity});
}

static Status read_run(const EvolveFindings *findings, size_t run, RunLogVisit *take,
                       Curve *curve) {
    CLEANUP(str_free) Str path = {0};
    run_directory(findings->files->directory, findings->config, (uint32_t)run, &path);
    return run_log_each(str_text(&path), take, curve);
}

static Status read_curve(const EvolveFindings *findings, Curve *curve) {
    const size_t shown = evolve_findings_median_run(findings);
    TRY(read_run(findings, shown, take_shown, curve));
    for (size_t i = 0; i < (size_t)findings->config->runs; i++)
        if (i != shown)
            TRY(read_run(findings, i, take_other, curve));
    return OK;
}

static void draw_series(const Curve *curve, int which, const char *name, bool has_band,
                        Chart *chart) {
    const size_t series = chart_add_series(chart, name);
    for (size_t i = 0; i < curve->count; i++) {
        const Point *point = &curve->points[i];
        if (has_band)
            chart_add_range(chart, series, point->generation, point->shown[which],
                            point->low[which], point->high[which]);
        else
            chart_add_point(chart, series, point->generation, point->shown[which]);
    }
}

// The set that is looked at while a run goes on.
static bool has_watched(const EvolveFindings *findings) {
    return problem_size(findings->problem, problem_goal(findings->problem)->watched) > 0;
}

static const char *watched_name(const EvolveFindings *findings) {
    return problem_goal(findings->problem)->watched == SET_TEST ? "test" : "validation";
}

static void add_caption(const EvolveFindings *findings, Report *report) {
    const char *note = problem_goal(findings->problem)->curve_note;
    if (note != NULL) {
        report_add_paragraph(report, "%s", note);
        return;
    }
    const bool has_samples = problem_draws_afresh(findings->problem);
    CLEANUP(str_free) Str text = {0};
    str_add(&text,
            "The best organism of each generation and the mean of all, on the positions that "
            "generation was judged on");
    if (has_watched(findings))
        str_addf(&text, "; and that best organism on the %s set, from which nothing is learned",
                 watched_name(findings));
    str_add(&text, ".");
    if (findings->optimum != NULL)
        str_add(&text, " The dashed line is the least error that any weights can have on the whole "
                       "training set");
    if (findings->optimum != NULL)
        str_add(&text,
                has_samples ? "; on the fewer positions of one generation less is possible." : ".");
    if (findings->config->runs > 1)
        str_addf(&text,
                 " Lines show run %zu, the median on the training set, and bands reach from the "
                 "lowest to the highest of all %" PRId64 " runs.",
                 evolve_findings_median_run(findings) + 1, findings->config->runs);
    report_add_paragraph(report, "%s", str_text(&text));
}

// Errors at the start are many times those at the end, which would be a flat line on a plain axis.
static Chart *start_chart(const EvolveFindings *findings, Report *report) {
    const ProblemGoal *goal = problem_goal(findings->problem);
    return report_add_chart(report, &(ChartSpec){.title = goal->curve,
                                                 .x_label = "generation",
                                                 .y_label = goal->unit,
                                                 .is_log_y = goal->per_position < 0,
                                                 .y_decimals = 2});
}

Status evolve_findings_add_curve(const EvolveFindings *findings, Report *report) {
    CLEANUP(curve_free) Curve curve = {0};
    const bool has_band = findings->config->runs > 1;
    TRY(read_curve(findings, &curve));
    Chart *chart = start_chart(findings, report);
    draw_series(&curve, BEST, "best", has_band, chart);
    if (problem_goal(findings->problem)->curve_note == NULL)
        draw_series(&curve, MEAN, "mean", has_band, chart);
    if (has_watched(findings))
        draw_series(&curve, WATCHED, watched_name(findings), has_band, chart);
    if (findings->optimum != NULL)
        chart_add_reference(chart, "least possible", certified_bound(findings->optimum));
    add_caption(findings, report);
    return OK;
}

Status evolve_findings_add_diversity(const EvolveFindings *findings, Report *report) {
    CLEANUP(curve_free) Curve curve = {0};
    const bool has_band = findings->config->runs > 1;
    TRY(read_curve(findings, &curve));
    for (size_t i = 0; i < curve.count; i++) {
        Point *point = &curve.points[i];
        point->shown[DIVERSITY] *= 100;
        point->low[DIVERSITY] *= 100;
        point->high[DIVERSITY] *= 100;
    }
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = "Diversity by generation",
                                                         .x_label = "generation",
                                                         .y_label = "percent of the range",
                                                         .y_decimals = 2});
    draw_series(&curve, DIVERSITY, "diversity", has_band, chart);
    report_add_paragraph(report,
                         "How much organisms of a generation differ: the deviation of a gene, as a "
                         "share of the range it may have, in the mean of all genes.%s",
                         has_band ? " The band is as above." : "");
    return OK;
}
