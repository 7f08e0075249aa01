// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in a report, and in HTML.
#include "report/element.h"
#include "report/escape.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SENTENCE = 60 }; // bytes that only a sentence has
// In characters of a table's size.
enum { PHONE_WIDTH = 46, NAME_WIDTH = 34, COLUMN_GAP = 3 };

// Sentences side by side, and many columns, need a wide screen: a narrow one shows each row as a
// list, in which cells say what column they are of.
static bool has_sentences(const Table *table) {
    bool has_any = false;
    for (size_t j = 0; j < table->column_count; j++)
        if (table->columns[j].is_number)
            return false;
    for (size_t i = 0; i < table->cell_count && !has_any; i++)
        has_any = table->cells[i].text != NULL && strlen(table->cells[i].text) > SENTENCE;
    return has_any && table->column_count > 2;
}

static double longest_word(const char *text) {
    size_t most = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        most = length > most ? length : most;
        text += length + strspn(text + length, " ");
    }
    return (double)most;
}

// About how many characters a column takes at least; texts may be broken, numbers may not.
static double column_width(const Table *table, size_t column) {
    double most = longest_word(table->columns[column].name);
    for (size_t i = 0; i < table_row_count(table); i++) {
        CLEANUP(str_free) Str shown = {0};
        table_show_cell(table, i, column, &shown);
        const double width = (double)escape_width(str_text(&shown));
        most = fmax(most, table->columns[column].is_number ? width : fmin(width, NAME_WIDTH));
    }
    return most;
}

static bool is_wider_than_a_phone(const Table *table) {
    double width = 0;
    for (size_t j = 0; j < table->column_count; j++)
        width += column_width(table, j) + COLUMN_GAP;
    return width > PHONE_WIDTH;
}

// The first column of each row is its heading; one that is short is not broken. A long text beside
// numbers, which take all the width they need, is not broken after every word.
static void add_cell(const Table *table, size_t row, size_t column, bool is_named, Str *out) {
    CLEANUP(str_free) Str shown = {0};
    table_show_cell(table, row, column, &shown);
    const bool is_short = escape_width(str_text(&shown)) <= NAME_WIDTH;
    str_add(out, column == 0 ? "<th scope=\"row\"" : "<td");
    if (table->columns[column].is_number)
        str_add(out, " class=\"n\"");
    else if (column == 0 && is_short)
        str_add(out, " class=\"name\"");
    else if (column > 0 && !is_short)
        str_add(out, " class=\"long\"");
    if (is_named && column > 0) {
        str_add(out, " data-name=\"");
        escape_html(out, table->columns[column].name);
        str_add(out, "\"");
    }
    str_add(out, ">");
    escape_html(out, str_text(&shown));
    str_add(out, column == 0 ? "</th>" : "</td>");
}

void table_write_html(const Table *table, Str *out) {
    assert(table_is_valid(table));
    const bool is_read = has_sentences(table), is_named = is_read || is_wider_than_a_phone(table);
    str_add(out, "<div class=\"scroll\" tabindex=\"0\">\n");
    str_add(out, is_read    ? "<table class=\"list sentences\">\n"
                 : is_named ? "<table class=\"list\">\n"
                            : "<table>\n");
    if (table->caption[0] != '\0')
        element_html_tag(out, "caption", table->caption);
    str_add(out, "<thead><tr>");
    for (size_t j = 0; j < table->column_count; j++) {
        str_add(out, table->columns[j].is_number ? "<th scope=\"col\" class=\"n\">"
                                                 : "<th scope=\"col\">");
        escape_html(out, table->columns[j].name);
        str_add(out, "</th>");
    }
    str_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < table_row_count(table); i++) {
        str_add(out, "<tr>");
        for (size_t j = 0; j < table->column_count; j++)
            add_cell(table, i, j, is_named, out);
        str_add(out, "</tr>\n");
    }
    str_add(out, "</tbody>\n</table>\n</div>\n");
}

static void table_text(const void *content, Str *out) {
    element_text_line(out, table_caption(content));
    table_write_text(content, out);
}

static void table_markdown(const void *content, Str *out) {
    element_markdown_line(out, "**", table_caption(content), "**\n\n");
    table_write_markdown(content, out);
}

static void table_html(const void *content, Str *out) {
    table_write_html(content, out);
}

static void destroy(void *content) {
    table_destroy(content);
}

static const ReportElement element = {table_text, table_markdown, table_html, destroy, NULL};

Table *report_add_table(Report *report, const char *caption) {
    Table *table = table_create(caption);
    element_add(report, &element, table);
    return table;
}

const Table *report_table_at(const Report *report, size_t index) {
    for (size_t i = 0; i < report->count; i++)
        if (report->blocks[i].element == &element && index-- == 0)
            return report->blocks[i].content;
    return NULL;
}
