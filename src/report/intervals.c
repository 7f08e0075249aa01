// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "report/element.h"
#include "report/escape.h"
#include "report/model.h"
#include "report/number.h"
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TICKS = 6, WIDTH = 48 };

static Intervals *create(const IntervalsSpec *spec) {
    Intervals *intervals = mem_alloc_zero(1, sizeof *intervals);
    intervals->title = mem_copy_string(spec->title == NULL ? "" : spec->title);
    intervals->value_label = mem_copy_string(spec->value_label == NULL ? "" : spec->value_label);
    intervals->mark_label = spec->mark_label == NULL ? NULL : mem_copy_string(spec->mark_label);
    intervals->decimals = spec->decimals;
    return intervals;
}

static void destroy(void *content) {
    Intervals *intervals = content;
    for (size_t i = 0; i < intervals->count; i++)
        free(intervals->rows[i].label);
    free(intervals->rows);
    free(intervals->title);
    free(intervals->value_label);
    free(intervals->mark_label);
    free(intervals);
}

void intervals_add(Intervals *intervals, const char *label, const Interval *interval) {
    MEM_ADD(intervals->rows, intervals->count, intervals->capacity) =
        (IntervalRow){mem_copy_string(label), *interval};
}

Axis intervals_axis(const Intervals *intervals, size_t most) {
    Extent extent = AXIS_NOTHING;
    axis_include(&extent, 0, false);
    for (size_t i = 0; i < intervals->count; i++) {
        const Interval *row = &intervals->rows[i].interval;
        axis_include(&extent, row->value, false);
        axis_include(&extent, row->low, false);
        axis_include(&extent, row->high, false);
        axis_include(&extent, row->mark, false);
    }
    Axis axis = axis_create(extent, false, most);
    axis_tighten(&axis, extent);
    return axis;
}

Table *intervals_to_table(const Intervals *intervals) {
    Table *table = table_create(intervals->title);
    table_add_text_column(table, "");
    table_add_number_column(table, intervals->value_label, intervals->decimals);
    table_add_number_column(table, "from", intervals->decimals);
    table_add_number_column(table, "to", intervals->decimals);
    if (intervals->mark_label != NULL)
        table_add_number_column(table, intervals->mark_label, intervals->decimals);
    for (size_t i = 0; i < intervals->count; i++) {
        const Interval *row = &intervals->rows[i].interval;
        table_add_text(table, intervals->rows[i].label);
        TABLE_ADD_NUMBERS(table, row->value, row->low, row->high);
        if (intervals->mark_label != NULL)
            table_add_number(table, row->mark);
    }
    return table;
}

double intervals_end(const Axis *axis, double value) {
    return isnan(value) ? NAN : fmin(fmax(value, axis->low), axis->high);
}

// --- with plain characters: "  |---o--x   " ---

static void put(const Axis *axis, char cells[WIDTH + 1], double value, char letter) {
    if (!isnan(value))
        cells[lrint(axis_place(axis, intervals_end(axis, value)) * (WIDTH - 1))] = letter;
}

static void draw(const Axis *axis, const Interval *row, char cells[WIDTH + 1]) {
    memset(cells, ' ', WIDTH);
    cells[WIDTH] = '\0';
    put(axis, cells, 0, '|');
    if (!isnan(row->low) && !isnan(row->high)) {
        const long from = lrint(axis_place(axis, intervals_end(axis, row->low)) * (WIDTH - 1));
        const long to = lrint(axis_place(axis, intervals_end(axis, row->high)) * (WIDTH - 1));
        for (long i = from; i <= to; i++)
            cells[i] = cells[i] == '|' ? '+' : '-';
    }
    put(axis, cells, row->value, 'o');
    put(axis, cells, row->mark, 'x');
}

static void add_padded(Str *out, const char *text, size_t width) {
    CLEANUP(str_free) Str plain = {0};
    escape_plain(&plain, text);
    const size_t used = escape_width(str_text(&plain));
    str_addf(out, "%*s%s", used < width ? (int)(width - used) : 0, "", str_text(&plain));
}

static void plot(const Intervals *intervals, Str *out) {
    const Axis axis = intervals_axis(intervals, TICKS);
    size_t width = 0;
    for (size_t i = 0; i < intervals->count; i++) {
        const size_t used = escape_width(intervals->rows[i].label);
        width = used > width ? used : width;
    }
    for (size_t i = 0; i < intervals->count; i++) {
        const Interval *row = &intervals->rows[i].interval;
        char cells[WIDTH + 1];
        draw(&axis, row, cells);
        add_padded(out, intervals->rows[i].label, width);
        str_addf(out, "  %s  ", cells);
        number_add(out, row->value, intervals->decimals);
        str_add(out, "\n");
    }
    str_addf(out, "%*so  ", (int)width + 2, "");
    escape_plain(out, intervals->value_label);
    if (intervals->mark_label != NULL) {
        str_add(out, "   x  ");
        escape_plain(out, intervals->mark_label);
    }
    str_add(out, "\n");
}

// --- as an element ---

// Without any figure there is nothing to see.
static void write_text(const void *content, Str *out) {
    const Intervals *intervals = content;
    if (intervals->count == 0)
        return;
    element_text_line(out, intervals->title);
    plot(intervals, out);
}

static void write_markdown(const void *content, Str *out) {
    const Intervals *intervals = content;
    CLEANUP(str_free) Str drawn = {0};
    if (intervals->count == 0)
        return;
    plot(intervals, &drawn);
    element_markdown_line(out, "**", intervals->title, "**\n\n");
    element_markdown_fenced(out, str_text(&drawn));
}

static void add_legend(const Intervals *intervals, Str *out) {
    bool has_mark = false;
    for (size_t i = 0; i < intervals->count; i++)
        has_mark |= !isnan(intervals->rows[i].interval.mark);
    if (intervals->mark_label == NULL || !has_mark)
        return;
    str_add(out, "<ul class=\"legend\">\n");
    element_html_key(out, 0,
                     "<path class=\"whisker\" d=\"M0 5H26\"/><circle class=\"dot\" "
                     "cx=\"13\" cy=\"5\" r=\"4\"/>",
                     "here, with the 95% interval");
    element_html_key(out, 1, "<path class=\"mark\" d=\"M13 0L18 5L13 10L8 5Z\"/>",
                     intervals->mark_label);
    str_add(out, "</ul>\n");
}

static void write_html(const void *content, Str *out) {
    const Intervals *intervals = content;
    if (intervals->count == 0)
        return;
    str_add(out, "<figure>\n");
    if (intervals->title[0] != '\0')
        element_html_tag(out, "figcaption", intervals->title);
    add_legend(intervals, out);
    svg_intervals(out, intervals, SVG_WIDE);
    svg_intervals(out, intervals, SVG_NARROW);
    element_html_data(out, intervals_to_table(intervals), false);
    str_add(out, "</figure>\n");
}

static const ReportElement element = {write_text, write_markdown, write_html, destroy, NULL};

Intervals *report_add_intervals(Report *report, const IntervalsSpec *spec) {
    Intervals *intervals = create(spec);
    element_add(report, &element, intervals);
    return intervals;
}
