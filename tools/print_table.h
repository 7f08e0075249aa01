// SPDX-License-Identifier: GPL-3.0-or-later
// Tables on standard output.
#pragma once

#include "base/error.h"
#include "report/table.h"
#include "tools/print.h"

typedef enum TableFormat { TABLE_TEXT, TABLE_CSV, TABLE_JSONL } TableFormat;

static inline void table_write_as(const Table *table, TableFormat format, Str *out) {
    if (format == TABLE_CSV)
        table_write_csv(table, out);
    else if (format == TABLE_JSONL)
        table_write_jsonl(table, out);
    else
        table_write_text(table, out);
}

static inline void print_table_as(const Table *table, TableFormat format) {
    CLEANUP(str_free) Str text = {0};
    table_write_as(table, format, &text);
    print_text(stdout, str_text(&text));
}

static inline void print_table(const Table *table) {
    print_table_as(table, TABLE_TEXT);
}
