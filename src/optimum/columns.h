// SPDX-License-Identifier: GPL-3.0-or-later
// An OptimumProblem laid out by columns, one for each weight, the constant being a column of ones.
#pragma once

#include "optimum/optimum.h"

typedef struct Columns {
    size_t rows, count;
    int16_t *counts;       // owned: `rows` numbers for each column
    int32_t *low;          // owned: the box, without parts of a constant that cannot matter
    int32_t *high;         // owned
    const int32_t *labels; // borrowed
    const int32_t *shares; // borrowed; NULL: every row counts once
} Columns;

// Fails when the box is empty or when a sum of errors might not fit 64 bits.
MUST_CHECK Status columns_create(Columns *out, const OptimumProblem *problem);
void columns_free(Columns *columns);

static inline const int16_t *columns_at(const Columns *columns, size_t j) {
    return columns->counts + j * columns->rows;
}
static inline int32_t columns_share(const Columns *columns, size_t row) {
    return columns->shares == NULL ? 1 : columns->shares[row];
}
// The furthest a label can be from a score anywhere in the box.
double columns_reach(const Columns *columns);
bool columns_is_zero(const Columns *columns, size_t j);
// The label less the score, for each row.
void columns_residuals(const Columns *columns, const int32_t *weights, int64_t *residuals);
