// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/columns.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

// Sums of this many are far from the end of 64 bits, however they are added up.
static const double error_max = 2e18;

size_t optimum_weight_count(const OptimumProblem *problem) {
    return problem->m + problem->has_constant;
}

static void transpose(Columns *out, const OptimumProblem *problem) {
    size_t stride = problem->stride == 0 ? problem->m : problem->stride;
    for (size_t j = 0; j < problem->m; j++)
        for (size_t i = 0; i < out->rows; i++)
            out->counts[j * out->rows + i] = problem->counts[i * stride + j];
    for (size_t i = 0; problem->has_constant && i < out->rows; i++)
        out->counts[problem->m * out->rows + i] = 1;
}

static double magnitude(int64_t a, int64_t b) {
    int64_t largest = llabs(a) > llabs(b) ? llabs(a) : llabs(b);
    return (double)largest;
}

// The furthest a label can be from a score, over the first `count` columns and all of the box.
static double reach_of(const Columns *columns, size_t count) {
    double reach = 0;
    for (size_t i = 0; i < columns->rows; i++)
        if (magnitude(columns->labels[i], 0) > reach)
            reach = magnitude(columns->labels[i], 0);
    for (size_t j = 0; j < count; j++) {
        const int16_t *column = columns_at(columns, j);
        double largest = 0;
        for (size_t i = 0; i < columns->rows; i++)
            if (magnitude(column[i], 0) > largest)
                largest = magnitude(column[i], 0);
        reach += largest * magnitude(columns->low[j], columns->high[j]);
    }
    return reach;
}

// Whatever the other weights are, the best constant is a median of what they leave, hence within
// reach: a wider range changes nothing, but would spoil the bound.
static void cut_constant(Columns *columns, size_t j) {
    double reach = reach_of(columns, j);
    if (reach >= INT32_MAX)
        return;
    int32_t limit = (int32_t)reach;
    if (columns->low[j] < -limit && columns->high[j] >= -limit)
        columns->low[j] = -limit;
    if (columns->high[j] > limit && columns->low[j] <= limit)
        columns->high[j] = limit;
}

static double share_sum(const Columns *columns) {
    double sum = 0;
    for (size_t i = 0; i < columns->rows; i++)
        sum += columns_share(columns, i);
    return sum;
}

static Status check(const Columns *columns) {
    for (size_t j = 0; j < columns->count; j++)
        if (columns->low[j] > columns->high[j])
            return error_set(ERR_ARG, "weight %zu has an empty range: %d to %d", j, columns->low[j],
                             columns->high[j]);
    if (reach_of(columns, columns->count) * share_sum(columns) > error_max)
        return error_set(ERR_LIMIT, "counts, labels and ranges are too large to add up exactly");
    return OK;
}

Status columns_create(Columns *out, const OptimumProblem *problem) {
    size_t count = optimum_weight_count(problem), rows = problem->n, m = problem->m;
    *out = (Columns){
        .rows = rows, .count = count, .labels = problem->labels, .shares = problem->shares};
    out->counts = mem_alloc_zero(rows * count + 1, sizeof *out->counts);
    out->low = mem_alloc_zero(count + 1, sizeof *out->low);
    out->high = mem_alloc_zero(count + 1, sizeof *out->high);
    transpose(out, problem);
    if (m != 0) {
        memcpy(out->low, problem->low, m * sizeof *out->low);
        memcpy(out->high, problem->high, m * sizeof *out->high);
    }
    if (problem->has_constant) {
        out->low[m] = problem->constant_low;
        out->high[m] = problem->constant_high;
        cut_constant(out, m);
    }
    Status status = check(out);
    if (status != OK)
        columns_free(out);
    return status;
}

double columns_reach(const Columns *columns) {
    return reach_of(columns, columns->count);
}

void columns_free(Columns *columns) {
    free(columns->counts);
    free(columns->low);
    free(columns->high);
    *columns = (Columns){0};
}

bool columns_is_zero(const Columns *columns, size_t j) {
    const int16_t *column = columns_at(columns, j);
    for (size_t i = 0; i < columns->rows; i++)
        if (column[i] != 0)
            return false;
    return true;
}

void columns_residuals(const Columns *columns, const int32_t *weights, int64_t *residuals) {
    for (size_t i = 0; i < columns->rows; i++)
        residuals[i] = columns->labels[i];
    for (size_t j = 0; j < columns->count; j++) {
        const int16_t *column = columns_at(columns, j);
        int64_t weight = weights[j];
        for (size_t i = 0; weight != 0 && i < columns->rows; i++)
            residuals[i] -= weight * column[i];
    }
}
