// SPDX-License-Identifier: GPL-3.0-or-later
// What a heat map is made of, for those who write it in a format.
#pragma once

#include "report/heat.h"
#include "report/svg.h"

enum { HEAT_LEVELS = 4 }; // of colour, to each side of the middle
enum { HEAT_BELOW, HEAT_MIDDLE, HEAT_ABOVE, HEAT_MEANING_NB };

typedef struct HeatRow {
    char *name;     // owned
    double *values; // owned: one for each column
    double middle, reach;
} HeatRow;

struct Heat {
    char *title, *x_label;           // owned
    char *meanings[HEAT_MEANING_NB]; // owned
    int x_decimals, decimals;
    double *xs; // owned
    size_t column_count;
    HeatRow *rows; // owned
    size_t row_count, row_capacity;
};

Heat *heat_create(const HeatSpec *spec);
void heat_destroy(Heat *heat);
// Which column is shown in a place, where there are fewer places than columns: the first and the
// last are among them.
size_t heat_column_at(const Heat *heat, size_t place, size_t places);
// The colour of a cell: -HEAT_LEVELS to HEAT_LEVELS.
int heat_level(const HeatRow *row, size_t column);
// The drawing, and the same with plain characters.
void heat_svg(Str *out, const Heat *heat, SvgSize size);
void heat_plot(const Heat *heat, Str *out);
