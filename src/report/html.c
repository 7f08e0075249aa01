// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as one HTML file.
#include "report/escape.h"
#include "report/html_style.h"
#include "report/number.h"
#include "report/svg.h"

#include <string.h>

static void add_element(Str *out, const char *name, const char *text) {
    str_addf(out, "<%s>", name);
    escape_html(out, text);
    str_addf(out, "</%s>\n", name);
}

enum { SENTENCE = 60 }; // bytes that only a sentence has

// Sentences side by side need a wide screen: a narrow one shows each row as a list, in which cells
// say what column they are of.
static bool has_sentences(const Table *table) {
    bool has_any = false;
    for (size_t j = 0; j < table->column_count; j++)
        if (table->columns[j].is_number)
            return false;
    for (size_t i = 0; i < table->cell_count && !has_any; i++)
        has_any = table->cells[i].text != NULL && strlen(table->cells[i].text) > SENTENCE;
    return has_any && table->column_count > 2;
}

// The first column of each row is its heading.
static void add_cell(const Table *table, size_t row, size_t column, bool is_named, Str *out) {
    Str shown = {0};
    table_show_cell(table, row, column, &shown);
    str_add(out, column == 0 ? "<th scope=\"row\"" : "<td");
    if (table->columns[column].is_number)
        str_add(out, " class=\"n\"");
    if (is_named && column > 0) {
        str_add(out, " data-name=\"");
        escape_html(out, table->columns[column].name);
        str_add(out, "\"");
    }
    str_add(out, ">");
    escape_html(out, str_text(&shown));
    str_add(out, column == 0 ? "</th>" : "</td>");
    str_free(&shown);
}

void table_write_html(const Table *table, Str *out) {
    const bool is_named = has_sentences(table);
    str_add(out, "<div class=\"scroll\" tabindex=\"0\">\n");
    str_add(out, is_named ? "<table class=\"sentences\">\n" : "<table>\n");
    if (table->caption[0] != '\0')
        add_element(out, "caption", table->caption);
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

// The key looks like what it stands for; it says nothing to those who hear the page.
static void add_key(Str *out, size_t colour, const char *drawing, const char *name) {
    str_addf(out, "<li class=\"s%zu\"><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\">%s</svg>",
             colour, drawing);
    escape_html(out, name);
}

static void add_chart_legend(Str *out, const Chart *chart) {
    str_add(out, "<ul class=\"legend\">\n");
    for (size_t i = 0; i < chart->series_count; i++) {
        add_key(out, i % SVG_COLOURS, "<path class=\"line\" d=\"M0 5H26\"/>",
                chart->series[i].name);
        str_add(out, "</li>\n");
    }
    for (size_t i = 0; i < chart->reference_count; i++) {
        add_key(out, SVG_COLOURS, "<path class=\"reference\" d=\"M0 5H26\"/>",
                chart->references[i].name);
        str_add(out, ": ");
        number_add(out, chart->references[i].y, chart->y_decimals);
        str_add(out, "</li>\n");
    }
    str_add(out, "</ul>\n");
}

static void add_bars_legend(Str *out, const Bars *bars) {
    str_add(out, "<ul class=\"legend\">\n");
    for (size_t i = 0; i < bars->series_count; i++) {
        add_key(out, i % SVG_COLOURS, "<rect class=\"bar\" width=\"26\" height=\"10\"/>",
                bars->series[i]);
        str_add(out, "</li>\n");
    }
    str_add(out, "</ul>\n");
}

// The same numbers as a table, for those who cannot see the drawing or want to copy them.
static void add_data(Str *out, Table *table, bool is_part) {
    str_addf(out, "<details>\n<summary>%s</summary>\n",
             is_part ? "Data (evenly spread rows)" : "Data");
    table->caption[0] = '\0';
    table_write_html(table, out);
    str_add(out, "</details>\n");
    table_destroy(table);
}

static void add_chart(Str *out, const Chart *chart) {
    str_add(out, "<figure>\n");
    add_element(out, "figcaption", chart->title);
    svg_chart(out, chart, SVG_WIDE);
    svg_chart(out, chart, SVG_NARROW);
    add_chart_legend(out, chart);
    add_data(out, chart_to_table(chart, CHART_TABLE_ROWS), chart_x_count(chart) > CHART_TABLE_ROWS);
    str_add(out, "</figure>\n");
}

static void add_bars(Str *out, const Bars *bars) {
    str_add(out, "<figure>\n");
    add_element(out, "figcaption", bars->title);
    add_bars_legend(out, bars);
    svg_bars(out, bars, SVG_WIDE);
    svg_bars(out, bars, SVG_NARROW);
    add_data(out, bars_to_table(bars), false);
    str_add(out, "</figure>\n");
}

static void add_figure(Str *out, const Block *block) {
    str_add(out, "<li><span>");
    escape_html(out, block->text);
    str_add(out, "</span><b>");
    escape_html(out, block->value);
    str_add(out, "</b>");
    if (block->note != NULL) {
        str_add(out, "<small>");
        escape_html(out, block->note);
        str_add(out, "</small>");
    }
    str_add(out, "</li>\n");
}

static void add_block(Str *out, const Block *block) {
    switch (block->kind) {
    case BLOCK_HEADING:
        add_element(out, "h2", block->text);
        break;
    case BLOCK_PARAGRAPH:
        add_element(out, "p", block->text);
        break;
    case BLOCK_CODE:
        str_add(out, "<pre>");
        escape_lines(out, block->text, "", escape_html);
        str_add(out, "</pre>\n");
        break;
    case BLOCK_FIGURE:
        add_figure(out, block);
        break;
    case BLOCK_TABLE:
        table_write_html(block->table, out);
        break;
    case BLOCK_CHART:
        add_chart(out, block->chart);
        break;
    case BLOCK_BARS:
        add_bars(out, block->bars);
        break;
    }
}

void report_write_html(const Report *report, Str *out) {
    str_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    add_element(out, "title", report->title);
    str_addf(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", html_style);
    add_element(out, "h1", report->title);
    for (size_t i = 0; i < report->count; i++) {
        const Block *block = &report->blocks[i];
        bool is_figure = block->kind == BLOCK_FIGURE;
        if (is_figure && (i == 0 || block[-1].kind != BLOCK_FIGURE))
            str_add(out, "<ul class=\"figures\">\n");
        add_block(out, block);
        if (is_figure && (i + 1 == report->count || block[1].kind != BLOCK_FIGURE))
            str_add(out, "</ul>\n");
    }
    str_add(out, "</main>\n</body>\n</html>\n");
}
