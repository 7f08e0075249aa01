// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/contour_model.h"

#include "base/mem.h"
#include "report/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHTS_MAX = 8 };

static char *copy_or_empty(const char *text) {
    return mem_copy_string(text == NULL ? "" : text);
}

Contour *contour_create(const ContourSpec *spec) {
    Contour *contour = mem_alloc_zero(1, sizeof *contour);
    *contour = (Contour){.title = copy_or_empty(spec->title),
                         .x_label = copy_or_empty(spec->x_label),
                         .y_label = copy_or_empty(spec->y_label),
                         .x_decimals = spec->x_decimals,
                         .y_decimals = spec->y_decimals,
                         .decimals = spec->decimals};
    return contour;
}

void contour_destroy(Contour *contour) {
    if (contour == NULL)
        return;
    for (size_t i = 0; i < contour->mark_count; i++)
        free(contour->marks[i].name);
    free(contour->marks);
    free(contour->xs);
    free(contour->ys);
    free(contour->values);
    free(contour->title);
    free(contour->x_label);
    free(contour->y_label);
    free(contour);
}

static double *copy_numbers(const double *numbers, size_t count) {
    double *copy = mem_alloc(count * sizeof *copy);
    memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

void contour_set_grid(Contour *contour, const double *xs, size_t x_count, const double *ys,
                      size_t y_count, const double *values) {
    assert(contour->xs == NULL && x_count >= 2 && y_count >= 2);
    contour->xs = copy_numbers(xs, x_count);
    contour->ys = copy_numbers(ys, y_count);
    contour->values = copy_numbers(values, x_count * y_count);
    contour->x_count = x_count;
    contour->y_count = y_count;
}

void contour_add_mark(Contour *contour, const char *name, double x, double y) {
    MEM_ADD(contour->marks, contour->mark_count, contour->mark_capacity) =
        (ContourMark){mem_copy_string(name), x, y};
}

Axis contour_heights(const Contour *contour) {
    Extent extent = AXIS_NOTHING;
    for (size_t i = 0; i < contour->x_count * contour->y_count; i++)
        axis_include(&extent, contour->values[i], false);
    Axis axis = axis_create(extent, false, HEIGHTS_MAX);
    axis_tighten(&axis, extent);
    return axis;
}

// --- lines of equal height ---

typedef struct Corner {
    double x, y, value;
} Corner;

static Corner corner_at(const Contour *contour, size_t x, size_t y) {
    return (Corner){contour->xs[x], contour->ys[y], contour_at(contour, x, y)};
}

// Whether the height is reached between two corners, and where.
static bool cross_edge(const Corner *a, const Corner *b, double height, double *x, double *y) {
    if (!isfinite(a->value) || !isfinite(b->value) || (a->value < height) == (b->value < height))
        return false;
    const double part = (height - a->value) / (b->value - a->value);
    *x = a->x + part * (b->x - a->x);
    *y = a->y + part * (b->y - a->y);
    return true;
}

size_t contour_cross(const Contour *contour, size_t x, size_t y, double height,
                     ContourPiece out[2]) {
    const Corner corners[4] = {corner_at(contour, x, y), corner_at(contour, x + 1, y),
                               corner_at(contour, x + 1, y + 1), corner_at(contour, x, y + 1)};
    double xs[4], ys[4];
    size_t count = 0;
    // Around the cell: a line that comes in leaves at the next crossing.
    for (size_t i = 0; i < 4; i++)
        count += cross_edge(&corners[i], &corners[(i + 1) % 4], height, &xs[count], &ys[count]);
    for (size_t i = 0; i < count / 2; i++)
        out[i] = (ContourPiece){xs[2 * i], ys[2 * i], xs[2 * i + 1], ys[2 * i + 1]};
    return count / 2;
}

// --- as a table ---

static size_t spread(size_t place, size_t places, size_t count) {
    return place * (count - 1) / (places - 1);
}

Table *contour_to_table(const Contour *contour, size_t most) {
    Table *table = table_create(contour->title);
    const size_t columns = contour->x_count < most ? contour->x_count : most;
    const size_t rows = contour->y_count < most ? contour->y_count : most;
    CLEANUP(str_free) Str name = {0};
    str_addf(&name, "%s, by %s", contour->y_label, contour->x_label);
    table_add_number_column(table, str_text(&name), contour->y_decimals);
    for (size_t i = 0; i < columns; i++) {
        str_clear(&name);
        number_add(&name, contour->xs[spread(i, columns, contour->x_count)], contour->x_decimals);
        table_add_number_column(table, str_text(&name), contour->decimals);
    }
    for (size_t k = rows; k-- > 0;) {
        const size_t y = spread(k, rows, contour->y_count);
        table_add_number(table, contour->ys[y]);
        for (size_t i = 0; i < columns; i++)
            table_add_number(table, contour_at(contour, spread(i, columns, contour->x_count), y));
    }
    return table;
}
