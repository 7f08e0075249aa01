// SPDX-License-Identifier: GPL-3.0-or-later
// The linear program behind the least absolute error, in its dual form, as the solver (GLPK) takes
// it. Nothing it returns is trusted: optimum.c checks it in exact arithmetic.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

// Maximise the sum of target_i y_i, less the sum of width_j p_j, where |y_i| <= most_i, p_j >= 0,
// and the sum over i of counts_ij y_i, with rest_j, is at most p_j for each column j.
typedef struct LpDual {
    size_t rows, columns;
    const int16_t *counts; // by columns: `rows` numbers for column 0, then for column 1 ...
    const double *targets; // of the rows
    const double *most;    // of the rows
    const double *widths;  // of the columns, none negative
    const double *rest;    // of the columns; NULL: 0
} LpDual;

// `multipliers` (y, of the rows) and `prices` (of the columns, within 0 and their width where the
// solver did well) come from one vertex. Keeps no memory of the solver.
MUST_CHECK Status lp_solve(const LpDual *lp, double *multipliers, double *prices);

// The mixture of columns (at least 0, together 1) that makes the least row sum of payoffs largest,
// and the mixture of rows that holds it down to that: both sides of a game, whose value is returned
// in `value`. `payoffs` has `columns` numbers for each row.
MUST_CHECK Status lp_solve_game(const double *payoffs, size_t rows, size_t columns,
                                double *column_mix, double *row_mix, double *value);
