// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: Figures 1 to 4, and what Pr does.
#include "papers/asoc2013_runs.h"
#include "run/files/run_log.h"

#include <math.h>
#include <stdio.h>

// --- Figures 1 to 4 ---

// The best of each generation over all runs, and the median run.
typedef struct Band {
    double low[ASOC_GENERATIONS + 1], high[ASOC_GENERATIONS + 1];
    double best[ASOC_GENERATIONS + 1], mean[ASOC_GENERATIONS + 1];
    size_t count;
    bool is_first, is_median; // of the run that is read
} Band;

static void add_generation(void *context, size_t index, const RunLogLine *line) {
    Band *band = context;
    if (index > ASOC_GENERATIONS)
        return;
    band->low[index] = band->is_first ? line->best : fmin(band->low[index], line->best);
    band->high[index] = band->is_first ? line->best : fmax(band->high[index], line->best);
    if (band->is_median) {
        band->best[index] = line->best;
        band->mean[index] = line->mean;
        band->count = index + 1;
    }
}

static Status read_band(const Plan *plan, const char *step, const AsocRuns *runs, Band *band) {
    Status status = OK;
    for (size_t run = 0; run < runs->grid.rows && status == OK; run++) {
        Str path = {0};
        evidence_path(plan, &path, "%s/run-%02zu", step, run + 1);
        band->is_first = run == 0;
        band->is_median = run == runs->median;
        status = run_log_each(str_text(&path), add_generation, band);
        str_free(&path);
    }
    return status;
}

static void draw_band(const Band *band, const AsocFigures *theirs, const char *title,
                      Report *report) {
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = title,
                                                         .x_label = "generation",
                                                         .y_label = "moves found (%)",
                                                         .y_decimals = 2});
    const size_t best = chart_add_series(chart, "best player");
    const size_t mean = chart_add_series(chart, "mean of all");
    for (size_t i = 0; i < band->count; i++) {
        chart_add_range(chart, best, (double)i, band->best[i], band->low[i], band->high[i]);
        chart_add_point(chart, mean, (double)i, band->mean[i]);
    }
    chart_add_reference(chart, "paper, at the end", theirs->end_best);
    chart_add_reference(chart, "paper, at the start", theirs->start_best);
}

static Status add_curve(const Plan *plan, Report *report, int figure, int weights, int chance) {
    char step[32], title[160];
    AsocRuns runs;
    Band band = {0};
    snprintf(step, sizeof step, "%d-%d", weights, chance);
    Status status = asoc_read_runs(plan, step, &runs);
    if (status != OK)
        return status;
    status = read_band(plan, step, &runs, &band);
    snprintf(title, sizeof title,
             "Fig. %d: %d weights, Pr = %d. The median run, the band from the worst to the best of "
             "%zu runs",
             figure, weights, chance, runs.grid.rows);
    if (status == OK)
        draw_band(&band, asoc_find_figures(weights, chance), title, report);
    asoc_free_runs(&runs);
    return status;
}

// --- what Pr does ---

typedef struct ByChance {
    Chart *chart;
    size_t ours[2]; // series of 24 and 33 weights
} ByChance;

static void add_chance(void *context, int weights, int chance, const AsocRuns *runs) {
    const ByChance *by = context;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t row = 0; row < runs->grid.rows; row++) {
        low = fmin(low, grid_at(&runs->grid, row, "end_mean"));
        high = fmax(high, grid_at(&runs->grid, row, "end_mean"));
    }
    chart_add_range(by->chart, by->ours[weights == 33], chance,
                    grid_at(&runs->grid, runs->median, "end_mean"), low, high);
}

static Status add_by_chance(const Plan *plan, Report *report) {
    ByChance by = {.chart = report_add_chart(
                       report, &(ChartSpec){.title = "Moves found at the end by Pr, the chance "
                                                     "that a child comes from the past",
                                            .x_label = "Pr (%)",
                                            .y_label = "moves found, mean of all players (%)",
                                            .y_decimals = 2})};
    const size_t theirs_24 = chart_add_series(by.chart, "paper, 24 weights");
    const size_t theirs_33 = chart_add_series(by.chart, "paper, 33 weights");
    by.ours[0] = chart_add_series(by.chart, "here, 24");
    by.ours[1] = chart_add_series(by.chart, "here, 33");
    for (const AsocFigures *row = asoc_figures; row->weights != 0; row++)
        chart_add_point(by.chart, row->weights == 24 ? theirs_24 : theirs_33, row->chance,
                        row->end_mean);
    for (const AsocYardstick *stick = asoc_yardsticks; stick->step != NULL; stick++) {
        double percent;
        char name[64];
        Status status = asoc_read_yardstick(plan, stick, &percent);
        if (status != OK)
            return status;
        snprintf(name, sizeof name, "%s, depth %d", stick->name, stick->depth);
        if (!isnan(percent) && stick->depth == 8)
            chart_add_reference(by.chart, name, percent);
    }
    return asoc_each_runs(plan, add_chance, &by);
}

Status asoc_tell_curves(const Plan *plan, Report *report) {
    Status status = add_by_chance(plan, report);
    static const struct {
        int figure, weights, chance;
    } figures[] = {{1, 24, 0}, {2, 24, 10}, {3, 33, 0}, {4, 33, 10}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && status == OK; i++)
        status = add_curve(plan, report, figures[i].figure, figures[i].weights, figures[i].chance);
    return status;
}
