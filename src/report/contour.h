// SPDX-License-Identifier: GPL-3.0-or-later
// Contour maps: a quantity over two others, coloured by its sign and size, with lines of equal
// height and marked points.
#pragma once

#include "report/table.h"

typedef struct Contour Contour;

// The texts are copied. Decimals are those of tables and marks; ticks have their own.
typedef struct ContourSpec {
    const char *title, *x_label, *y_label;
    int x_decimals, y_decimals, decimals;
} ContourSpec;

// The map: `values` has a row of x_count for each y; both rising, at least two of each. Once.
void contour_set_grid(Contour *contour, const double *xs, size_t x_count, const double *ys,
                      size_t y_count, const double *values);
void contour_add_mark(Contour *contour, const char *name, double x, double y);
// A row for each y, the highest first, a column for each x; at most so many of each, evenly spread.
// The caller owns it.
Table *contour_to_table(const Contour *contour, size_t most);
