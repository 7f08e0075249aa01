// SPDX-License-Identifier: GPL-3.0-or-later
// With the sign of a row's residual its y is known, and leaves the program for the right hand side.
// A solution under which all signs are as they were taken is one of the whole program. (Portnoy and
// Koenker 1997.)
#include "optimum/lp_near.h"

#include "base/mem.h"
#include "optimum/lp_guess.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROWS_PER_COLUMN = 16, // with fewer the whole program is small enough
    NEAR_SHARE = 16,      // one of so many rows is in doubt at first
    NEAR_FEWEST = 8,      // and at least so many for each column
};

typedef struct Split {
    const LpDual *lp;
    double *residuals; // owned, as everything here: of the rows
    double *far;       // of the rows: what y is known to be, 0 where it is in doubt
    size_t *near;      // rows in doubt, in order
    int16_t *counts;   // theirs, by columns
    double *targets, *most, *multipliers;
    double *rest; // of the columns: what far rows add
    size_t count; // of rows in doubt
} Split;

static Split split_create(const LpDual *lp) {
    const size_t rows = lp->rows + 1;
    return (Split){.lp = lp,
                   .residuals = mem_alloc_zero(rows, sizeof(double)),
                   .far = mem_alloc_zero(rows, sizeof(double)),
                   .near = mem_alloc_zero(rows, sizeof(size_t)),
                   .counts = mem_alloc_zero(lp->rows * lp->columns + 1, sizeof(int16_t)),
                   .targets = mem_alloc_zero(rows, sizeof(double)),
                   .most = mem_alloc_zero(rows, sizeof(double)),
                   .multipliers = mem_alloc_zero(rows, sizeof(double)),
                   .rest = mem_alloc_zero(lp->columns + 1, sizeof(double))};
}

static void split_free(Split *split) {
    free(split->residuals);
    free(split->far);
    free(split->near);
    free(split->counts);
    free(split->targets);
    free(split->most);
    free(split->multipliers);
    free(split->rest);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The distance within which so many rows are.
static double find_limit(const Split *split, size_t count) {
    double *sorted = split->multipliers; // not needed yet
    for (size_t i = 0; i < split->lp->rows; i++)
        sorted[i] = fabs(split->residuals[i]);
    qsort(sorted, split->lp->rows, sizeof *sorted, by_value);
    return sorted[count];
}

static void divide(Split *split, size_t near) {
    const LpDual *lp = split->lp;
    const double limit = find_limit(split, near);
    for (size_t i = 0; i < lp->rows; i++)
        split->far[i] = fabs(split->residuals[i]) <= limit ? 0
                        : split->residuals[i] > 0          ? lp->most[i]
                                                           : -lp->most[i];
}

static void gather(Split *split) {
    const LpDual *lp = split->lp;
    split->count = 0;
    for (size_t i = 0; i < lp->rows; i++) {
        if (split->far[i] != 0)
            continue;
        split->targets[split->count] = lp->targets[i];
        split->most[split->count] = lp->most[i];
        split->near[split->count++] = i;
    }
    for (size_t j = 0; j < lp->columns; j++) {
        const int16_t *column = lp->counts + j * lp->rows;
        int16_t *counts = split->counts + j * split->count;
        double rest = 0;
        for (size_t i = 0; i < lp->rows; i++)
            rest += split->far[i] * column[i];
        for (size_t k = 0; k < split->count; k++)
            counts[k] = column[split->near[k]];
        split->rest[j] = rest;
    }
}

// Rows whose sign is another than was taken are in doubt from now on. Returns how many.
static size_t doubt_wrong(Split *split, const double *prices) {
    const LpDual *lp = split->lp;
    size_t wrong = 0;
    lp_find_residuals(lp, prices, split->residuals);
    for (size_t i = 0; i < lp->rows; i++) {
        if (split->far[i] * split->residuals[i] >= 0)
            continue;
        split->far[i] = 0;
        wrong++;
    }
    return wrong;
}

Status lp_solve_near(const LpDual *lp, double *multipliers, double *prices) {
    CLEANUP(split_free) Split split = split_create(lp);
    const size_t share = lp->rows / NEAR_SHARE, fewest = NEAR_FEWEST * lp->columns;
    const size_t near = share > fewest ? share : fewest;
    if (lp->rows < ROWS_PER_COLUMN * lp->columns || !lp_guess_residuals(lp, near, split.residuals))
        return lp_solve(lp, multipliers, prices);
    divide(&split, near);
    do {
        gather(&split);
        const LpDual small = {.rows = split.count,
                              .columns = lp->columns,
                              .counts = split.counts,
                              .targets = split.targets,
                              .most = split.most,
                              .widths = lp->widths,
                              .rest = split.rest};
        TRY(lp_solve(&small, split.multipliers, prices));
    } while (doubt_wrong(&split, prices) > 0);
    for (size_t i = 0; i < lp->rows; i++)
        multipliers[i] = split.far[i];
    for (size_t k = 0; k < split.count; k++)
        multipliers[split.near[k]] = split.multipliers[k];
    return OK;
}
