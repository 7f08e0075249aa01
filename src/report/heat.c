// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/heat_model.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy_or_empty(const char *text) {
    return mem_copy_string(text == NULL ? "" : text);
}

Heat *heat_create(const HeatSpec *spec) {
    Heat *heat = mem_alloc_zero(1, sizeof *heat);
    *heat = (Heat){.title = copy_or_empty(spec->title),
                   .x_label = copy_or_empty(spec->x_label),
                   .meanings = {copy_or_empty(spec->below), copy_or_empty(spec->middle),
                                copy_or_empty(spec->above)},
                   .x_decimals = spec->x_decimals,
                   .decimals = spec->decimals};
    return heat;
}

void heat_destroy(Heat *heat) {
    if (heat == NULL)
        return;
    for (size_t i = 0; i < heat->row_count; i++) {
        free(heat->rows[i].name);
        free(heat->rows[i].values);
    }
    for (int i = 0; i < HEAT_MEANING_NB; i++)
        free(heat->meanings[i]);
    free(heat->rows);
    free(heat->xs);
    free(heat->title);
    free(heat->x_label);
    free(heat);
}

void heat_set_columns(Heat *heat, const double *xs, size_t count) {
    assert(heat->xs == NULL && count > 0);
    heat->xs = mem_alloc(count * sizeof *xs);
    memcpy(heat->xs, xs, count * sizeof *xs);
    heat->column_count = count;
}

void heat_add_row(Heat *heat, const char *name, const double *values, double middle, double reach) {
    const size_t bytes = heat->column_count * sizeof *values;
    assert(heat->xs != NULL);
    HeatRow *row = &MEM_ADD(heat->rows, heat->row_count, heat->row_capacity);
    *row = (HeatRow){mem_copy_string(name), mem_alloc(bytes), middle, reach};
    memcpy(row->values, values, bytes);
}

size_t heat_column_at(const Heat *heat, size_t place, size_t places) {
    return places < 2 ? heat->column_count - 1 : place * (heat->column_count - 1) / (places - 1);
}

int heat_level(const HeatRow *row, size_t column) {
    const double off = row->values[column] - row->middle;
    if (!isfinite(off) || !(row->reach > 0))
        return 0;
    const double level = round(HEAT_LEVELS * off / row->reach);
    return (int)fmax(-HEAT_LEVELS, fmin(HEAT_LEVELS, level));
}

Table *heat_to_table(const Heat *heat, size_t rows_max) {
    Table *table = table_create(heat->title);
    const size_t all = heat->column_count;
    const size_t count = rows_max == 0 || all <= rows_max ? all : rows_max;
    table_add_number_column(table, heat->x_label, heat->x_decimals);
    for (size_t i = 0; i < heat->row_count; i++)
        table_add_number_column(table, heat->rows[i].name, heat->decimals);
    for (size_t k = 0; k < count; k++) {
        const size_t column = heat_column_at(heat, k, count);
        table_add_number(table, heat->xs[column]);
        for (size_t i = 0; i < heat->row_count; i++)
            table_add_number(table, heat->rows[i].values[column]);
    }
    return table;
}
