// SPDX-License-Identifier: GPL-3.0-or-later

#include "report/escape.h"
#include "report/model.h"
#include "report/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 16, TICKS_X = 6, TICKS_Y = 6, BAR_WIDTH = 40 };

typedef struct Plot {
    const Chart *chart;
    Axis x, y;
    char cells[HEIGHT][WIDTH + 1]; // each row NUL-terminated
} Plot;

// Series beyond 26 share letters: nobody could tell them apart anyway.
static char letter_of(size_t series) {
    return (char)('a' + series % 26);
}

static int column_of(const Plot *plot, double x) {
    return (int)lrint(axis_place(&plot->x, x) * (WIDTH - 1));
}

static int row_of(const Plot *plot, double y) {
    return (int)lrint((1 - axis_place(&plot->y, y)) * (HEIGHT - 1));
}

static void draw_reference(Plot *plot, double y) {
    if (!axis_can_show(y, plot->chart->is_log_y))
        return;
    memset(plot->cells[row_of(plot, y)], '-', WIDTH);
}

// One letter in each column from a point to the next.
static void draw_step(Plot *plot, const Point *from, const Point *to, char letter) {
    int x0 = column_of(plot, from->x), x1 = column_of(plot, to->x);
    int y0 = row_of(plot, from->y), y1 = row_of(plot, to->y);
    int steps = abs(x1 - x0);
    for (int i = 0; i <= steps; i++) {
        double share = steps == 0 ? 1 : (double)i / steps;
        int row = y0 + (int)lrint(share * (y1 - y0));
        plot->cells[row][x0 + (x1 < x0 ? -i : i)] = letter;
    }
}

static void draw_series(Plot *plot, const Series *series, char letter) {
    const Point *last = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const Point *point = &series->points[i];
        bool is_shown = chart_can_show(plot->chart, point);
        if (is_shown)
            draw_step(plot, last == NULL ? point : last, point, letter);
        last = is_shown ? point : NULL;
    }
}

static void add_right(Str *out, const char *text, size_t width) {
    size_t length = escape_width(text);
    str_addf(out, "%*s%s", length < width ? (int)(width - length) : 0, "", text);
}

static void add_rows(const Plot *plot, Str *out, size_t margin) {
    CLEANUP(str_free) Str label = {0};
    for (int row = 0; row < HEIGHT; row++) {
        str_clear(&label);
        for (size_t t = 0; t < plot->y.count; t++)
            if (row_of(plot, plot->y.ticks[t]) == row && label.length == 0)
                axis_add_tick(&label, &plot->y, t);
        add_right(out, str_text(&label), margin);
        size_t used = WIDTH;
        while (used > 0 && plot->cells[row][used - 1] == ' ')
            used--;
        str_add(out, label.length > 0 ? " +" : " |");
        str_append(out, plot->cells[row], used);
        str_add(out, "\n");
    }
}

// Tick labels centred below their columns; one that would touch the last is left out.
static void add_x_axis(const Plot *plot, Str *out, size_t margin) {
    CLEANUP(str_free) Str line = {0};
    CLEANUP(str_free) Str label = {0};
    add_right(out, "", margin);
    str_add(out, " +");
    for (int i = 0; i < WIDTH; i++)
        str_add(out, "-");
    str_add(out, "\n");
    for (size_t t = 0; t < plot->x.count; t++) {
        str_clear(&label);
        axis_add_tick(&label, &plot->x, t);
        size_t width = escape_width(str_text(&label)), used = escape_width(str_text(&line));
        size_t middle = margin + 2 + (size_t)column_of(plot, plot->x.ticks[t]);
        size_t start = middle > width / 2 ? middle - width / 2 : 0;
        if (used > 0 && start < used + 1)
            continue;
        str_addf(&line, "%*s%s", start > used ? (int)(start - used) : 0, "", str_text(&label));
    }
    str_add(out, str_text(&line));
    str_add(out, "  ");
    escape_plain(out, plot->chart->x_label);
    str_add(out, "\n");
}

static void add_legend(const Chart *chart, Str *out) {
    for (size_t i = 0; i < chart->series_count; i++) {
        str_addf(out, "  %c  ", letter_of(i));
        escape_plain(out, chart->series[i].name);
        str_add(out, "\n");
    }
    for (size_t i = 0; i < chart->reference_count; i++) {
        str_add(out, "  -  ");
        escape_plain(out, chart->references[i].name);
        str_add(out, " ");
        number_add(out, chart->references[i].y, chart->y_decimals);
        str_add(out, "\n");
    }
}

void chart_plot(const Chart *chart, Str *out) {
    Plot plot = {
        .chart = chart, .x = chart_x_axis(chart, TICKS_X), .y = chart_y_axis(chart, TICKS_Y)};
    for (int row = 0; row < HEIGHT; row++)
        memset(plot.cells[row], ' ', WIDTH);
    for (size_t i = 0; i < chart->reference_count; i++)
        draw_reference(&plot, chart->references[i].y);
    for (size_t i = 0; i < chart->series_count; i++)
        draw_series(&plot, &chart->series[i], letter_of(i));
    size_t margin = 0;
    CLEANUP(str_free) Str label = {0};
    for (size_t t = 0; t < plot.y.count; t++) {
        str_clear(&label);
        axis_add_tick(&label, &plot.y, t);
        size_t width = escape_width(str_text(&label));
        margin = width > margin ? width : margin;
    }
    if (chart->y_label[0] != '\0') {
        escape_plain(out, chart->y_label);
        str_add(out, "\n");
    }
    add_rows(&plot, out, margin);
    add_x_axis(&plot, out, margin);
    add_legend(chart, out);
}

static size_t widest(char *const *texts, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t width = escape_width(texts[i]);
        most = width > most ? width : most;
    }
    return most;
}

// From the column of zero to that of the value.
static void add_bar(const Axis *axis, double value, Str *out) {
    int zero = (int)lrint(axis_place(axis, 0) * BAR_WIDTH);
    int end = (int)lrint(axis_place(axis, value) * BAR_WIDTH);
    int from = end < zero ? end : zero, to = end < zero ? zero : end;
    for (int i = 0; i < to; i++)
        str_add(out, i < from ? " " : "#");
    str_add(out, to > 0 ? " " : "");
}

void bars_plot(const Bars *bars, Str *out) {
    Axis axis = bars_axis(bars, TICKS_X);
    size_t label_width = widest(bars->labels, bars->group_count);
    size_t name_width = widest(bars->series, bars->series_count);
    for (size_t g = 0; g < bars->group_count; g++)
        for (size_t i = 0; i < bars->series_count; i++) {
            const Bar *bar = &bars->items[g * bars->series_count + i];
            CLEANUP(str_free) Str label = {0};
            CLEANUP(str_free) Str name = {0};
            escape_plain(&label, i == 0 ? bars->labels[g] : "");
            escape_plain(&name, bars->series[i]);
            add_right(out, str_text(&label), label_width);
            str_add(out, "  ");
            add_right(out, str_text(&name), name_width);
            str_add(out, " |");
            add_bar(&axis, axis_can_show(bar->value, false) ? bar->value : 0, out);
            number_add(out, bar->value, bars->decimals);
            if (bars_can_show_range(bar))
                number_add_range(out, bar->low, bar->high, bars->decimals);
            str_add(out, "\n");
        }
}
