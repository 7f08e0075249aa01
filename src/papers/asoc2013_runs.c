// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/asoc2013_runs.h"

#include <stdio.h>

Status asoc_read_runs(const Plan *plan, const char *step, AsocRuns *out) {
    *out = (AsocRuns){0};
    Str path = {0};
    evidence_path(plan, &path, "%s/runs.csv", step);
    Status status = grid_read(&out->grid, str_text(&path));
    // Ranks count from 1; the rows are in the order of the runs.
    out->median = grid_find(&out->grid, "rank", (double)(out->grid.rows / 2 + 1));
    if (status == OK)
        status = evidence_run_seconds(plan, step, (int)out->grid.rows, &out->seconds);
    if (status != OK)
        asoc_free_runs(out);
    str_free(&path);
    return status;
}

Status asoc_read_size(const Plan *plan, int positions, AsocRuns *out) {
    char step[32] = "33-10";
    if (positions != ASOC_POSITIONS)
        snprintf(step, sizeof step, "size-%d", positions);
    return asoc_read_runs(plan, step, out);
}

void asoc_free_runs(AsocRuns *runs) {
    grid_free(&runs->grid);
}

Status asoc_each_runs(const Plan *plan, AsocVisit *visit, void *context) {
    Status status = OK;
    for (int weights = 24; weights <= 33; weights += 9)
        for (int chance = 0; chance <= 40 && status == OK; chance += 5) {
            AsocRuns runs;
            char step[32];
            snprintf(step, sizeof step, "%d-%d", weights, chance);
            if (!plan_has(plan, step))
                continue;
            status = asoc_read_runs(plan, step, &runs);
            if (status != OK)
                break;
            visit(context, weights, chance, &runs);
            asoc_free_runs(&runs);
        }
    return status;
}

Status asoc_read_yardstick(const Plan *plan, const AsocYardstick *stick, double *out) {
    Str start = {0};
    str_add(&start, "the predictions on ");
    evidence_path(plan, &start, "%s.epd:", stick->step);
    Status status = evidence_number(plan, stick->step, str_text(&start), out);
    str_free(&start);
    return status;
}
