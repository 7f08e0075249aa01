// SPDX-License-Identifier: GPL-3.0-or-later
// Heat maps: rows of numbers over common columns, each row coloured by how far a number is from the
// row's own middle. The rows need not have the same scale.
#pragma once

#include "report/table.h"

typedef struct Heat Heat;

// The texts are copied.
typedef struct HeatSpec {
    const char *title, *x_label;
    const char *below, *middle, *above; // what the colours mean
    int x_decimals, decimals;
} HeatSpec;

// The columns, rising; before the first row. At least one.
void heat_set_columns(Heat *heat, const double *xs, size_t count);
// A number for each column; NaN leaves a gap. What is `reach` away from the middle, or farther, has
// the full colour; with a reach of 0 the row has none.
void heat_add_row(Heat *heat, const char *name, const double *values, double middle, double reach);
// A row for each column of the map, `rows_max` of them spread evenly (0: all), and a column for
// each of its rows. The caller owns it.
Table *heat_to_table(const Heat *heat, size_t rows_max);
