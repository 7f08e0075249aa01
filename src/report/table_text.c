// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for people without a browser: aligned text and Markdown.
#include "base/mem.h"
#include "report/escape.h"
#include "report/table_model.h"

#include <assert.h>
#include <stdlib.h>

static void add_blanks(Str *out, size_t count) {
    str_addf(out, "%*s", (int)count, "");
}

// Numbers stand at the right end of their column; nothing trails the last column.
static void add_aligned(Str *out, const char *text, size_t width, bool is_right, bool is_last) {
    size_t length = escape_width(text);
    size_t missing = length < width ? width - length : 0;
    if (is_right)
        add_blanks(out, missing);
    str_add(out, text);
    if (!is_right && !is_last)
        add_blanks(out, missing);
}

// Without the blanks that empty cells leave.
static void end_line(Str *out) {
    size_t length = out->length;
    while (length > 0 && out->text[length - 1] == ' ')
        length--;
    str_cut(out, length);
    str_add(out, "\n");
}

static void show_plain(const Table *table, size_t row, size_t column, Str *out) {
    CLEANUP(str_free) Str shown = {0};
    table_show_cell(table, row, column, &shown);
    escape_plain(out, str_text(&shown));
}

static void measure(const Table *table, size_t *widths) {
    CLEANUP(str_free) Str text = {0};
    for (size_t j = 0; j < table->column_count; j++) {
        str_clear(&text);
        escape_plain(&text, table->columns[j].name);
        widths[j] = escape_width(str_text(&text));
        for (size_t i = 0; i < table_row_count(table); i++) {
            str_clear(&text);
            show_plain(table, i, j, &text);
            size_t width = escape_width(str_text(&text));
            widths[j] = width > widths[j] ? width : widths[j];
        }
    }
}

static void add_rule(Str *out, const size_t *widths, size_t count) {
    for (size_t j = 0; j < count; j++) {
        str_add(out, j == 0 ? "" : "  ");
        for (size_t k = 0; k < widths[j]; k++)
            str_add(out, "-");
    }
    str_add(out, "\n");
}

void table_write_text(const Table *table, Str *out) {
    assert(table_is_valid(table));
    if (table->column_count == 0)
        return;
    size_t count = table->column_count, *widths = mem_alloc_zero(count + 1, sizeof *widths);
    CLEANUP(str_free) Str text = {0};
    measure(table, widths);
    for (size_t i = 0; i <= table_row_count(table); i++) {
        for (size_t j = 0; j < count; j++) {
            str_clear(&text);
            if (i == 0)
                escape_plain(&text, table->columns[j].name);
            else
                show_plain(table, i - 1, j, &text);
            str_add(out, j == 0 ? "" : "  ");
            add_aligned(out, str_text(&text), widths[j], table->columns[j].is_number,
                        j + 1 == count);
        }
        end_line(out);
        if (i == 0)
            add_rule(out, widths, count);
    }
    free(widths);
}

void table_write_markdown(const Table *table, Str *out) {
    assert(table_is_valid(table));
    if (table->column_count == 0)
        return;
    for (size_t j = 0; j < table->column_count; j++) {
        str_add(out, "| ");
        escape_markdown(out, table->columns[j].name);
        str_add(out, " ");
    }
    str_add(out, "|\n");
    for (size_t j = 0; j < table->column_count; j++)
        str_add(out, table->columns[j].is_number ? "|--:" : "|---");
    str_add(out, "|\n");
    CLEANUP(str_free) Str shown = {0};
    for (size_t i = 0; i < table_row_count(table); i++) {
        for (size_t j = 0; j < table->column_count; j++) {
            const Cell *cell = table_cell(table, i, j);
            str_clear(&shown);
            table_show_cell(table, i, j, &shown);
            str_add(out, "| ");
            // A number has no mark-up in it, and "-5" needs no backslash in a cell.
            if (cell != NULL && cell->text != NULL)
                escape_markdown(out, str_text(&shown));
            else
                str_add(out, str_text(&shown));
            str_add(out, " ");
        }
        str_add(out, "|\n");
    }
}
