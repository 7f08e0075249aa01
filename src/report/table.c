// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/table_model.h"

#include "base/mem.h"
#include "report/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

Table *table_create(const char *caption) {
    Table *table = mem_alloc_zero(1, sizeof *table);
    table->caption = mem_copy_string(caption);
    return table;
}

void table_destroy(Table *table) {
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->column_count; i++)
        free(table->columns[i].name);
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i].text);
    free(table->columns);
    free(table->cells);
    free(table->caption);
    free(table);
}

static void add_column(Table *table, Column column) {
    assert(table->cell_count == 0);
    MEM_ADD(table->columns, table->column_count, table->column_capacity) = column;
}

void table_add_text_column(Table *table, const char *name) {
    add_column(table, (Column){.name = mem_copy_string(name)});
}

void table_add_number_column(Table *table, const char *name, int decimals) {
    add_column(table, (Column){mem_copy_string(name), .is_number = true, .decimals = decimals});
}

void table_add_columns(Table *table, const char *columns) {
    for (size_t length; *columns != '\0'; columns += length + (columns[length] == '|')) {
        length = strcspn(columns, "|");
        const bool is_number = length > 2 && columns[length - 2] == ':';
        add_column(table, (Column){view_copy(view_of(columns, is_number ? length - 2 : length)),
                                   is_number, is_number ? columns[length - 1] - '0' : 0});
    }
}

static void add_cell(Table *table, Cell cell) {
    assert(table->column_count > 0);
    MEM_ADD(table->cells, table->cell_count, table->cell_capacity) = cell;
}

void table_add_text(Table *table, const char *text) {
    add_cell(table, (Cell){.text = mem_copy_string(text)});
}

void table_add_number(Table *table, double value) {
    assert(table->columns[table->cell_count % table->column_count].is_number);
    add_cell(table, (Cell){.number = value});
}

void table_add_numbers(Table *table, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        table_add_number(table, values[i]);
}

bool table_is_valid(const Table *table) {
    for (size_t i = 0; i < table->cell_count; i++)
        if (table->cells[i].text == NULL && !table->columns[i % table->column_count].is_number)
            return false;
    return table->column_count > 0 || table->cell_count == 0;
}

const char *table_caption(const Table *table) {
    return table->caption;
}

size_t table_row_count(const Table *table) {
    size_t columns = table->column_count;
    return columns == 0 ? 0 : (table->cell_count + columns - 1) / columns;
}

const Cell *table_cell(const Table *table, size_t row, size_t column) {
    size_t i = row * table->column_count + column;
    return i < table->cell_count ? &table->cells[i] : NULL;
}

void table_show_cell(const Table *table, size_t row, size_t column, Str *out) {
    const Cell *cell = table_cell(table, row, column);
    if (cell == NULL)
        return;
    if (cell->text != NULL)
        str_add(out, cell->text);
    else
        number_add(out, cell->number, table->columns[column].decimals);
}
