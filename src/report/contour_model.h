// SPDX-License-Identifier: GPL-3.0-or-later
// What a contour map is made of, for those who write it in a format.
#pragma once

#include "report/contour.h"
#include "report/svg.h"

typedef struct ContourMark {
    char *name; // owned
    double x, y;
} ContourMark;

struct Contour {
    char *title, *x_label, *y_label; // owned
    int x_decimals, y_decimals, decimals;
    double *xs, *ys, *values; // owned
    size_t x_count, y_count;
    ContourMark *marks; // owned
    size_t mark_count, mark_capacity;
};

static inline double contour_at(const Contour *contour, size_t x, size_t y) {
    return contour->values[y * contour->x_count + x];
}

Contour *contour_create(const ContourSpec *spec);
void contour_destroy(Contour *contour);
// The heights that lines are drawn at, as ticks.
Axis contour_heights(const Contour *contour);
// The pieces of the line at a height within a cell of the grid, whose lower left corner is given:
// up to two, each from one edge of the cell to another, in the units of the axes.
typedef struct ContourPiece {
    double x1, y1, x2, y2;
} ContourPiece;
size_t contour_cross(const Contour *contour, size_t x, size_t y, double height,
                     ContourPiece out[2]);
// One size for all screens.
void contour_svg(Str *out, const Contour *contour);
