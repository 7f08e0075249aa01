// SPDX-License-Identifier: GPL-3.0-or-later
// A curve over several runs.
#include "base/mem.h"
#include "papers/page.h"
#include "run/files/run_log.h"

#include <stdlib.h>

static void widen(CourseBand *band, double value) {
    band->low = band->runs == 0 || value < band->low ? value : band->low;
    band->high = band->runs == 0 || value > band->high ? value : band->high;
    band->sum += value;
    band->runs++;
}

static void take_line(void *context, size_t index, const RunLogLine *line) {
    RunsCourse *all = context;
    if (index >= all->count) {
        all->items = mem_grow(all->items, &all->capacity, index + 1, sizeof *all->items);
        all->items[index] = (CourseGeneration){0};
        all->count = index + 1;
    }
    widen(&all->items[index].best, line->best);
    widen(&all->items[index].mean, line->mean);
}

Status course_read(RunsCourse *out, const Plan *plan, const char *step, int runs) {
    *out = (RunsCourse){0};
    Status status = OK;
    for (int run = 1; run <= runs && status == OK; run++) {
        Str path = {0};
        evidence_path(plan, &path, "%s/run-%02d", step, run);
        status = run_log_each(str_text(&path), take_line, out);
        str_free(&path);
    }
    return status;
}

void course_free(RunsCourse *course) {
    free(course->items);
    *course = (RunsCourse){0};
}

double course_mean(const CourseBand *band) {
    return band->sum / band->runs;
}

static void add_series(Chart *chart, const char *name, const RunsCourse *course, bool is_best) {
    const size_t series = chart_add_series(chart, name);
    for (size_t i = 0; i < course->count; i++) {
        const CourseBand *band = is_best ? &course->items[i].best : &course->items[i].mean;
        chart_add_range(chart, series, (double)i, course_mean(band), band->low, band->high);
    }
}

Chart *page_add_course(Report *report, const RunsCourse *course, const ChartSpec *spec) {
    Chart *chart = report_add_chart(report, spec);
    add_series(chart, "best organism", course, true);
    add_series(chart, "mean of the population", course, false);
    return chart;
}
