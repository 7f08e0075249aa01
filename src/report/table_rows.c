// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for machines: CSV and JSON Lines.
#include "report/escape.h"
#include "report/number.h"
#include "report/table_model.h"

#include <assert.h>
#include <math.h>

void table_write_csv(const Table *table, Str *out) {
    assert(table_is_valid(table));
    for (size_t j = 0; j < table->column_count; j++) {
        str_add(out, j == 0 ? "" : ",");
        escape_csv(out, table->columns[j].name);
    }
    str_add(out, "\n");
    for (size_t i = 0; i < table_row_count(table); i++) {
        for (size_t j = 0; j < table->column_count; j++) {
            const Cell *cell = table_cell(table, i, j);
            str_add(out, j == 0 ? "" : ",");
            if (cell != NULL && cell->text != NULL)
                escape_csv(out, cell->text);
            else if (cell != NULL && !isnan(cell->number))
                number_add_exact(out, cell->number);
        }
        str_add(out, "\n");
    }
}

void table_write_jsonl(const Table *table, Str *out) {
    assert(table_is_valid(table));
    for (size_t i = 0; i < table_row_count(table); i++) {
        for (size_t j = 0; j < table->column_count; j++) {
            const Cell *cell = table_cell(table, i, j);
            str_add(out, j == 0 ? "{" : ",");
            escape_json(out, table->columns[j].name);
            str_add(out, ":");
            if (cell != NULL && cell->text != NULL)
                escape_json(out, cell->text);
            else if (cell != NULL && isfinite(cell->number))
                number_add_exact(out, cell->number);
            else
                str_add(out, "null");
        }
        str_add(out, "}\n");
    }
}
