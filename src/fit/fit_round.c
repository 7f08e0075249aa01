// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit_round.h"

#include "base/cholesky.h"
#include "base/mem.h"
#include "fit/information.h"

#include <math.h>
#include <stdlib.h>

// Positions enough to tell how coefficients act together; and what keeps those that the positions
// tell nothing of where they are, as a share of the mean of the others.
enum { POSITIONS_MOST = 50000 };
static const double ridge = 1e-4;

typedef struct Row {
    size_t term, free_row;
    double size; // how much a unit of the coefficient matters
} Row;

static int compare_rows(const void *a, const void *b) {
    const Row *first = a, *second = b;
    if (first->size != second->size)
        return first->size < second->size ? -1 : 1;
    return MEM_ORDER(first->term, second->term);
}

// Those that matter most come last: these are rounded first.
static Row *sort_rows(const Information *info) {
    Row *rows = mem_alloc((info->free_count + 1) * sizeof *rows);
    for (size_t i = 0; i < info->terms; i++)
        if (info->free_of[i] != SIZE_MAX) {
            const size_t at = info->free_of[i];
            rows[at] = (Row){i, at, info->matrix[at * info->free_count + at]};
        }
    qsort(rows, info->free_count, sizeof *rows, compare_rows);
    return rows;
}

// The factor of the matrix in the order of the rows.
static double *factorize(const Information *info, const FitConfig *config, const Row *rows) {
    const size_t n = info->free_count;
    const double pull = information_of_pull(info, config, info->positions);
    double *factor = mem_alloc_zero(n * n + 1, sizeof *factor), trace = 0;
    for (size_t i = 0; i < n; i++)
        trace += rows[i].size;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            const size_t a = rows[i].free_row, b = rows[j].free_row;
            factor[i * n + j] = info->matrix[a > b ? a * n + b : b * n + a];
        }
        factor[i * n + i] += fmax(fmax(ridge * trace / (double)n, pull), 1e-12);
    }
    cholesky_factorize(factor, n);
    return factor;
}

static double whole_within(double value, double low, double high) {
    return fmin(fmax(round(value), ceil(low)), floor(high));
}

Status fit_round(const FitConfig *config, const LinearSet *set, const double *best, DistPool *pool,
                 double *whole) {
    CLEANUP(information_free) Information info = {0};
    TRY(information_find(&info, config, set, POSITIONS_MOST, best, pool));
    const size_t n = info.free_count;
    CLEANUP(mem_free_at) Row *rows = sort_rows(&info);
    CLEANUP(mem_free_at) double *factor = factorize(&info, config, rows);
    for (size_t i = 0; i < info.terms; i++)
        whole[i] = round(best[i]);
    for (size_t i = n; i-- > 0;) {
        const size_t term = rows[i].term;
        double pulled = 0;
        for (size_t j = i + 1; j < n; j++)
            pulled += factor[j * n + i] * (whole[rows[j].term] - best[rows[j].term]);
        whole[term] = whole_within(best[term] - pulled / factor[i * n + i], config->low[term],
                                   config->high[term]);
    }
    return OK;
}
