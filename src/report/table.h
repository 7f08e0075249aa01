// SPDX-License-Identifier: GPL-3.0-or-later
// A table: columns of text or numbers, filled row by row, cell by cell.
#pragma once

#include "base/error.h"
#include "base/str.h"

typedef struct Table Table;

Table *table_create(const char *caption);
void table_destroy(Table *table);
CLEANUP_AT(Table *, table_destroy)

// All columns come before the first cell.
void table_add_text_column(Table *table, const char *name);
// Numbers are right-aligned and shown with this many decimals; machines get all their digits.
void table_add_number_column(Table *table, const char *name, int decimals);
// Several columns: "kind|made, %:1|p:4" is one of text, and two of numbers with 1 and 4 decimals.
void table_add_columns(Table *table, const char *columns);

// The next cell of the row; after the last column the next row begins. Text may stand in a column
// of numbers ("fixed"), never the other way round.
void table_add_text(Table *table, const char *text);
void table_add_number(Table *table, double value);
// Several cells of numbers: TABLE_ADD_NUMBERS(table, mean, deviation);
void table_add_numbers(Table *table, const double *values, size_t count);
#define TABLE_ADD_NUMBERS(table, ...)                                                              \
    table_add_numbers((table), (const double[]){__VA_ARGS__},                                      \
                      sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

const char *table_caption(const Table *table);
// Rows begun; cells that are missing in the last one are empty.
size_t table_row_count(const Table *table);

// Comma-separated values with a line of names: numbers in full, NaN empty, infinity as inf.
void table_write_csv(const Table *table, Str *out);
// A JSON object a line, keyed by the names of the columns: NaN and infinity are null.
void table_write_jsonl(const Table *table, Str *out);
// Columns aligned with blanks.
void table_write_text(const Table *table, Str *out);
// A pipe table, as GitHub and others show it.
void table_write_markdown(const Table *table, Str *out);
void table_write_html(const Table *table, Str *out);
