// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/certified.h"

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

Status certified_solve(const CountMatrix *matrix, const EvolveSpace *space, int scale,
                       CertifiedOptimum *out) {
    if (matrix->terms != space->count)
        return error_set(ERR_ARG, "the optimum is known for families that are linear in their "
                                  "parameters, and this one is not");
    CLEANUP(mem_free_at) int16_t *rows = copy_rows(matrix);
    CLEANUP(mem_free_at) int32_t *low = mem_alloc(2 * space->count * sizeof *low);
    int32_t *high = low + space->count;
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
    *out = (CertifiedOptimum){.positions = matrix->count, .scale = scale};
    TRY(optimum_solve(&problem, 0, &out->result));
    out->evidence = mem_alloc_zero(problem.m, sizeof *out->evidence);
    const Status status = identify(&problem, out->result.weights, out->evidence);
    if (status != OK)
        certified_free(out);
    return status;
}

void certified_free(CertifiedOptimum *optimum) {
    optimum_result_free(&optimum->result);
    free(optimum->evidence);
    *optimum = (CertifiedOptimum){0};
}

static double per_position(const CertifiedOptimum *optimum, double error) {
    return error / (double)optimum->positions / optimum->scale;
}

double certified_bound(const CertifiedOptimum *optimum) {
    return per_position(optimum, optimum->result.bound);
}

double certified_error(const CertifiedOptimum *optimum) {
    return per_position(optimum, optimum->result.error);
}

double certified_whole_error(const CertifiedOptimum *optimum) {
    return per_position(optimum, (double)optimum->result.whole_error);
}

double certified_distance(const CertifiedOptimum *optimum, double error) {
    const double bound = certified_bound(optimum);
    if (bound <= 0)
        return error > 0 ? (double)INFINITY : 0;
    return 100 * (error / bound - 1);
}
