// SPDX-License-Identifier: GPL-3.0-or-later
// What a table is made of, for those who write it in a format.
#pragma once

#include "report/table.h"

typedef struct Column {
    char *name; // owned
    bool is_number;
    int decimals;
} Column;

typedef struct Cell {
    char *text; // owned; NULL: a number
    double number;
} Cell;

struct Table {
    char *caption;   // owned
    Column *columns; // owned
    size_t column_count, column_capacity;
    Cell *cells; // owned
    size_t cell_count, cell_capacity;
};

// Whether numbers stand in columns of numbers alone.
bool table_is_valid(const Table *table);
// NULL where the last row is not complete.
const Cell *table_cell(const Table *table, size_t row, size_t column);
// The cell as people see it, before any escaping.
void table_show_cell(const Table *table, size_t row, size_t column, Str *out);
