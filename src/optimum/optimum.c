// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/optimum.h"

#include "base/mem.h"
#include "optimum/columns.h"
#include "optimum/lp_near.h"
#include "optimum/whole_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Multipliers are rounded to multiples of 2^-MULTIPLIER_BITS, so that the bound is a whole number
// of these. They and a sum of errors (columns_create allows 61 bits) leave room to spare in 128.
enum { MULTIPLIER_BITS = 44 };

typedef __int128 Wide;

static int64_t fixed_point(double multiplier) {
    if (isnan(multiplier))
        return 0;
    double cut = multiplier > 1 ? 1 : multiplier < -1 ? -1 : multiplier;
    return llrint(ldexp(cut, MULTIPLIER_BITS));
}

// For any y within -1 and 1, |r| >= y r. So the error of weights w is at least the sum of
// y_i (label_i - score_i), and that is least where each weight is at the worse end of its range.
static Wide exact_bound(const Columns *columns, const double *multipliers) {
    int64_t *fixed = mem_alloc_zero(columns->rows + 1, sizeof *fixed);
    Wide bound = 0;
    for (size_t i = 0; i < columns->rows; i++) {
        fixed[i] = fixed_point(multipliers[i]);
        bound += (Wide)fixed[i] * columns_share(columns, i) * columns->labels[i];
    }
    for (size_t j = 0; j < columns->count; j++) {
        const int16_t *column = columns_at(columns, j);
        Wide slope = 0;
        for (size_t i = 0; i < columns->rows; i++)
            slope += (Wide)fixed[i] * columns_share(columns, i) * column[i];
        bound -= slope * (slope > 0 ? columns->high[j] : columns->low[j]);
    }
    free(fixed);
    return bound > 0 ? bound : 0;
}

static double round_down(Wide bound) {
    double nearest = ldexp((double)bound, -MULTIPLIER_BITS);
    return nearest == 0 ? 0 : nextafter(nearest, 0);
}

// A sum of errors of whole numbers is whole.
static int64_t round_up(Wide bound) {
    Wide unit = (Wide)1 << MULTIPLIER_BITS;
    return (int64_t)((bound + unit - 1) / unit);
}

static double real_error(const Columns *columns, const double *weights) {
    double *scores = mem_alloc_zero(columns->rows + 1, sizeof *scores), error = 0;
    for (size_t j = 0; j < columns->count; j++) {
        const int16_t *column = columns_at(columns, j);
        for (size_t i = 0; i < columns->rows; i++)
            scores[i] += weights[j] * column[i];
    }
    for (size_t i = 0; i < columns->rows; i++)
        error += columns_share(columns, i) * fabs(columns->labels[i] - scores[i]);
    free(scores);
    return error;
}

// Only weights that may move and that something depends on are left to the solver.
static bool is_active(const Columns *columns, size_t j) {
    return columns->low[j] < columns->high[j] && !columns_is_zero(columns, j);
}

static double nearest_to_zero(const Columns *columns, size_t j) {
    return columns->low[j] > 0 ? columns->low[j] : columns->high[j] < 0 ? columns->high[j] : 0;
}

// Solves for weights counted from the low ends of their ranges: what the solver calls prices.
static Status solve_active(const Columns *columns, const size_t *active, size_t count,
                           double *targets, double *multipliers, double *weights) {
    size_t rows = columns->rows;
    CLEANUP(mem_free_at) int16_t *counts = mem_alloc_zero(rows * count, sizeof *counts);
    CLEANUP(mem_free_at) double *widths = mem_alloc_zero(count, sizeof *widths);
    CLEANUP(mem_free_at) double *prices = mem_alloc_zero(count, sizeof *prices);
    CLEANUP(mem_free_at) double *most = mem_alloc_zero(rows + 1, sizeof *most);
    for (size_t i = 0; i < rows; i++)
        most[i] = columns_share(columns, i);
    for (size_t k = 0; k < count; k++) {
        size_t j = active[k];
        memcpy(counts + k * rows, columns_at(columns, j), rows * sizeof *counts);
        widths[k] = (double)columns->high[j] - columns->low[j];
    }
    LpDual lp = {.rows = rows,
                 .columns = count,
                 .counts = counts,
                 .targets = targets,
                 .most = most,
                 .widths = widths};
    TRY(lp_solve_near(&lp, multipliers, prices));
    for (size_t i = 0; i < rows; i++)
        multipliers[i] /= most[i];
    for (size_t k = 0; k < count; k++)
        weights[active[k]] = columns->low[active[k]] + fmin(fmax(prices[k], 0), widths[k]);
    return OK;
}

static Status solve_real(const Columns *columns, double *weights, double *multipliers) {
    CLEANUP(mem_free_at) size_t *active = mem_alloc_zero(columns->count + 1, sizeof *active);
    CLEANUP(mem_free_at)
    int64_t *residuals = mem_alloc_zero(columns->rows + 1, sizeof *residuals);
    CLEANUP(mem_free_at) double *targets = mem_alloc_zero(columns->rows + 1, sizeof *targets);
    size_t count = 0;
    for (size_t j = 0; j < columns->count; j++) {
        weights[j] = nearest_to_zero(columns, j);
        if (is_active(columns, j))
            active[count++] = j;
    }
    columns_residuals(columns, columns->low, residuals);
    for (size_t i = 0; i < columns->rows; i++) {
        targets[i] = (double)residuals[i];
        multipliers[i] = targets[i] > 0 ? 1 : targets[i] < 0 ? -1 : 0;
    }
    // Where nothing may move, the signs of what is left over prove their own sum.
    return count == 0 ? OK : solve_active(columns, active, count, targets, multipliers, weights);
}

static Status solve_columns(const Columns *columns, OptimumResult *out) {
    CLEANUP(mem_free_at)
    double *multipliers = mem_alloc_zero(columns->rows + 1, sizeof *multipliers);
    out->count = columns->count;
    out->weights = mem_alloc_zero(columns->count + 1, sizeof *out->weights);
    out->whole_weights = mem_alloc_zero(columns->count + 1, sizeof *out->whole_weights);
    TRY(solve_real(columns, out->weights, multipliers));
    const Wide bound = exact_bound(columns, multipliers);
    out->error = real_error(columns, out->weights);
    out->bound = round_down(bound);
    out->whole_bound = round_up(bound);
    return OK;
}

static Status solve(const OptimumProblem *problem, bool is_whole, uint64_t seed,
                    OptimumResult *out) {
    CLEANUP(columns_free) Columns columns = {0};
    CLEANUP(optimum_result_free) OptimumResult result = {0};
    *out = (OptimumResult){0};
    TRY(columns_create(&columns, problem));
    TRY(solve_columns(&columns, &result));
    if (is_whole)
        result.whole_error = whole_search(&columns, result.weights, seed, result.whole_weights);
    *out = TAKE(result);
    return OK;
}

Status optimum_solve_real(const OptimumProblem *problem, OptimumResult *out) {
    return solve(problem, false, 0, out);
}

Status optimum_solve(const OptimumProblem *problem, uint64_t seed, OptimumResult *out) {
    return solve(problem, true, seed, out);
}

void optimum_result_free(OptimumResult *result) {
    free(result->weights);
    free(result->whole_weights);
    *result = (OptimumResult){0};
}

Status optimum_bound(const OptimumProblem *problem, const double *multipliers, double *bound) {
    CLEANUP(columns_free) Columns columns = {0};
    TRY(columns_create(&columns, problem));
    *bound = round_down(exact_bound(&columns, multipliers));
    return OK;
}

Status optimum_error(const OptimumProblem *problem, const double *weights, double *error) {
    CLEANUP(columns_free) Columns columns = {0};
    TRY(columns_create(&columns, problem));
    *error = real_error(&columns, weights);
    return OK;
}
