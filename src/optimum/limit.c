// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/limit.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static int16_t *copy_rows(const CountMatrix *matrix) {
    int16_t *rows = mem_alloc((matrix->count * matrix->terms + 1) * sizeof *rows);
    for (size_t i = 0; i < matrix->count; i++)
        for (size_t term = 0; term < matrix->terms; term++)
            rows[i * matrix->terms + term] = (int16_t)counts_at(matrix, i, term);
    return rows;
}

static Status solve(const OptimumProblem *problem, Limit *out) {
    Status status = optimum_solve(problem, 0, &out->optimum);
    if (status != OK)
        return status;
    out->evidence = mem_alloc_zero(problem->m, sizeof *out->evidence);
    status = identify(problem, out->optimum.weights, out->evidence);
    if (status != OK)
        limit_free(out);
    return status;
}

Status limit_solve(const CountMatrix *matrix, const EvolveSpace *space, int scale, Limit *out) {
    if (matrix->terms != space->count)
        return error_set(ERR_ARG, "the limit is known for families that are linear in their "
                                  "parameters, and this one is not");
    *out = (Limit){.positions = matrix->count, .scale = scale};
    int16_t *rows = copy_rows(matrix);
    int32_t *low = mem_alloc(space->count * sizeof *low);
    int32_t *high = mem_alloc(space->count * sizeof *high);
    for (size_t i = 0; i < space->count; i++) {
        low[i] = (int32_t)space->parameters[i].low;
        high[i] = (int32_t)space->parameters[i].high;
    }
    const OptimumProblem problem = {.counts = rows,
                                    .n = matrix->count,
                                    .m = matrix->terms,
                                    .labels = matrix->labels,
                                    .low = low,
                                    .high = high};
    const Status status = solve(&problem, out);
    free(rows);
    free(low);
    free(high);
    return status;
}

void limit_free(Limit *limit) {
    optimum_result_free(&limit->optimum);
    free(limit->evidence);
    *limit = (Limit){0};
}

static double per_position(const Limit *limit, double error) {
    return error / (double)limit->positions / limit->scale;
}

double limit_bound(const Limit *limit) {
    return per_position(limit, limit->optimum.bound);
}

double limit_error(const Limit *limit) {
    return per_position(limit, limit->optimum.error);
}

double limit_whole_error(const Limit *limit) {
    return per_position(limit, (double)limit->optimum.whole_error);
}

double limit_distance(const Limit *limit, double error) {
    const double bound = limit_bound(limit);
    if (bound <= 0)
        return error > 0 ? (double)INFINITY : 0;
    return 100 * (error / bound - 1);
}
