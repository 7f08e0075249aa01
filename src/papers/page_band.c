// SPDX-License-Identifier: GPL-3.0-or-later
// A curve over several runs.
#include "base/mem.h"
#include "papers/page.h"
#include "study/run_log.h"

#include <stdlib.h>

// A figure of one generation over the runs.
typedef struct Band {
    double sum, low, high;
    int runs;
} Band;

typedef struct Generation {
    Band best, mean;
} Generation;

typedef struct Generations {
    Generation *items; // owned
    size_t count, capacity;
} Generations;

static void widen(Band *band, double value) {
    band->low = band->runs == 0 || value < band->low ? value : band->low;
    band->high = band->runs == 0 || value > band->high ? value : band->high;
    band->sum += value;
    band->runs++;
}

static void take_line(void *context, size_t index, const RunLogLine *line) {
    Generations *all = context;
    if (index >= all->count) {
        all->items = vec_grow(all->items, &all->capacity, index + 1, sizeof *all->items);
        all->items[index] = (Generation){0};
        all->count = index + 1;
    }
    widen(&all->items[index].best, line->best);
    widen(&all->items[index].mean, line->mean);
}

static Status read_runs(const Plan *plan, const char *step, int runs, Generations *out) {
    Status status = OK;
    for (int run = 1; run <= runs && status == OK; run++) {
        Str path = {0};
        evidence_path(plan, &path, "%s/run-%02d", step, run);
        status = run_log_each(str_text(&path), take_line, out);
        str_free(&path);
    }
    return status;
}

static void add_range(Chart *chart, size_t series, size_t generation, const Band *band) {
    chart_add_range(chart, series, (double)generation, band->sum / band->runs, band->low,
                    band->high);
}

Status page_add_band(const Plan *plan, Report *report, const char *step, int runs,
                     const ChartSpec *spec, Chart **out) {
    Generations all = {0};
    Status status = read_runs(plan, step, runs, &all);
    *out = report_add_chart(report, spec);
    const size_t best = chart_add_series(*out, "best of each run");
    const size_t mean = chart_add_series(*out, "mean of all organisms");
    for (size_t i = 0; i < all.count; i++) {
        add_range(*out, best, i, &all.items[i].best);
        add_range(*out, mean, i, &all.items[i].mean);
    }
    free(all.items);
    return status;
}
