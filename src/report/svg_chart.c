// SPDX-License-Identifier: GPL-3.0-or-later
// Line charts: bands, lines, points with tooltips, reference lines, and names at the lines' ends.
#include "base/mem.h"
#include "report/escape.h"
#include "report/number.h"
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICKS_X_MAX = 9,
    TICKS_X_MIN = 5,
    NAME_LENGTH_MAX = 22,
    NAME_GAP = 15,     // between the names of two lines
    DOTS_MAX = 30,     // more points than these are drawn as a line alone
    TOOLTIPS_MAX = 60, // for each series
};

typedef struct Name {
    double y;
    size_t colour; // SVG_COLOURS for reference lines
    char *text;    // owned
} Name;

// The name as it stands beside its line: cut where it would take too much room.
static char *short_name(const char *name) {
    Str out = {0}, utf8 = {0};
    str_add_utf8(&utf8, view_from_string(name));
    if (escape_width(str_text(&utf8)) <= NAME_LENGTH_MAX) {
        str_add(&out, str_text(&utf8));
    } else {
        size_t bytes = 0;
        for (size_t width = 0; width < NAME_LENGTH_MAX - 1; width++)
            do
                bytes++;
            while (((unsigned char)utf8.text[bytes] & 0xC0) == 0x80);
        str_append(&out, utf8.text, bytes);
        str_add(&out, "…");
    }
    str_free(&utf8);
    return out.text == NULL ? mem_copy_string("") : out.text;
}

static double names_width(const Chart *chart) {
    double widest = 0;
    for (size_t i = 0; i < chart->series_count + chart->reference_count; i++) {
        char *name =
            short_name(i < chart->series_count ? chart->series[i].name
                                               : chart->references[i - chart->series_count].name);
        widest = fmax(widest, svg_text_width(name));
        free(name);
    }
    return widest;
}

static SvgFrame frame_of(const Chart *chart, SvgSize size) {
    bool is_wide = size == SVG_WIDE;
    SvgFrame frame = {.width = is_wide ? 760 : 360,
                      .height = is_wide ? 380 : 300,
                      .x = chart_x_axis(chart, TICKS_X_MAX),
                      .y = chart_y_axis(chart, is_wide ? 8 : 6)};
    for (size_t most = TICKS_X_MAX;
         most > TICKS_X_MIN && !svg_ticks_fit(&frame.x, is_wide ? 560 : 300);)
        frame.x = chart_x_axis(chart, --most);
    double half_tick = svg_ticks_width(&frame.x) / 2;
    frame.left = fmax(svg_ticks_width(&frame.y) + 10, half_tick + 2);
    frame.right = frame.width - fmax(half_tick, is_wide ? names_width(chart) + 12 : 0) - 4;
    frame.top = 30;
    frame.bottom = frame.height - 42;
    return frame;
}

static void add_xy(Str *out, const SvgFrame *frame, char command, double x, double y) {
    str_addf(out, "%c%.1f %.1f", command, svg_frame_x(frame, x), svg_frame_y(frame, y));
}

// Of points that share a pixel column, only the ends and the extremes can be seen.
static bool is_hidden(const SvgFrame *frame, const Series *series, size_t i) {
    const Point *point = &series->points[i];
    if (series->count < 4 * (size_t)frame->width || i == 0 || i + 1 == series->count)
        return false;
    double before = svg_frame_x(frame, point[-1].x), here = svg_frame_x(frame, point->x);
    double after = svg_frame_x(frame, point[1].x);
    bool is_turn = (point->y - point[-1].y) * (point[1].y - point->y) < 0;
    return floor(before) == floor(here) && floor(here) == floor(after) && !is_turn;
}

static void add_line(Str *out, const SvgFrame *frame, const Chart *chart, const Series *series) {
    bool is_drawing = false;
    str_add(out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < series->count; i++) {
        const Point *point = &series->points[i];
        bool is_shown = chart_can_show(chart, point);
        if (is_shown && !(is_drawing && is_hidden(frame, series, i)))
            add_xy(out, frame, is_drawing ? 'L' : 'M', point->x, point->y);
        is_drawing = is_shown;
    }
    str_add(out, "\"/>\n");
}

static bool has_range(const Chart *chart, const Point *point) {
    return chart_can_show(chart, point) && axis_can_show(point->low, chart->is_log_y) &&
           axis_can_show(point->high, chart->is_log_y);
}

// Along the high ends and back along the low ones, for each run of points without a gap.
static void add_bands(Str *out, const SvgFrame *frame, const Chart *chart, const Series *series) {
    for (size_t i = 0; i < series->count; i++) {
        size_t end = i;
        while (end < series->count && has_range(chart, &series->points[end]))
            end++;
        if (end == i)
            continue;
        str_add(out, "<path class=\"band\" d=\"");
        for (size_t k = i; k < end; k++)
            add_xy(out, frame, k == i ? 'M' : 'L', series->points[k].x, series->points[k].high);
        for (size_t k = end; k-- > i;)
            add_xy(out, frame, 'L', series->points[k].x, series->points[k].low);
        str_add(out, "Z\"/>\n");
        i = end;
    }
}

static void add_tooltip(Str *out, const Chart *chart, const Series *series, const Point *point) {
    str_add(out, "<title>");
    escape_html(out, series->name);
    str_add(out, ": ");
    number_add(out, point->y, chart->y_decimals);
    if (has_range(chart, point))
        number_add_range(out, point->low, point->high, chart->y_decimals);
    str_add(out, ", ");
    escape_html(out, chart->x_label);
    str_add(out, " ");
    number_add(out, point->x, chart->x_decimals);
    str_add(out, "</title>");
}

// Dots where there are few points; else they show only under the pointer.
static void add_dots(Str *out, const SvgFrame *frame, const Chart *chart, const Series *series) {
    const char *style = series->count <= DOTS_MAX ? "dot" : "dot hidden";
    size_t count = series->count < TOOLTIPS_MAX ? series->count : TOOLTIPS_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t k = count == 1 ? 0 : i * (series->count - 1) / (count - 1);
        const Point *point = &series->points[k];
        if (!chart_can_show(chart, point))
            continue;
        str_addf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\">", style,
                 svg_frame_x(frame, point->x), svg_frame_y(frame, point->y));
        add_tooltip(out, chart, series, point);
        str_add(out, "</circle>\n");
    }
}

static void add_references(Str *out, const SvgFrame *frame, const Chart *chart) {
    for (size_t i = 0; i < chart->reference_count; i++) {
        const Reference *reference = &chart->references[i];
        if (!axis_can_show(reference->y, chart->is_log_y))
            continue;
        double y = svg_frame_y(frame, reference->y);
        str_addf(out, "<line class=\"reference\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\">",
                 frame->left, y, frame->right, y);
        str_add(out, "<title>");
        escape_html(out, reference->name);
        str_add(out, ": ");
        number_add(out, reference->y, chart->y_decimals);
        str_add(out, "</title></line>\n");
    }
}

static int by_height(const void *a, const void *b) {
    double x = ((const Name *)a)->y, y = ((const Name *)b)->y;
    return (x > y) - (x < y);
}

static size_t collect_names(const SvgFrame *frame, const Chart *chart, Name *names) {
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        const Series *series = &chart->series[i];
        size_t last = series->count;
        while (last > 0 && !chart_can_show(chart, &series->points[last - 1]))
            last--;
        if (last > 0)
            names[count++] = (Name){svg_frame_y(frame, series->points[last - 1].y), i % SVG_COLOURS,
                                    short_name(series->name)};
    }
    for (size_t i = 0; i < chart->reference_count; i++)
        if (axis_can_show(chart->references[i].y, chart->is_log_y))
            names[count++] = (Name){svg_frame_y(frame, chart->references[i].y), SVG_COLOURS,
                                    short_name(chart->references[i].name)};
    return count;
}

// Names stand at the ends of their lines, pushed apart where they would overlap; the legend has
// those for which there is no room.
static void add_names(Str *out, const SvgFrame *frame, const Chart *chart) {
    size_t room = (size_t)((frame->bottom - frame->top) / NAME_GAP) + 1;
    Name *names = mem_alloc_zero(chart->series_count + chart->reference_count + 1, sizeof *names);
    size_t count = collect_names(frame, chart, names);
    qsort(names, count, sizeof *names, by_height);
    for (size_t i = 1; i < count; i++)
        names[i].y = fmax(names[i].y, names[i - 1].y + NAME_GAP);
    double limit = frame->bottom;
    for (size_t i = count; i-- > 0; limit -= NAME_GAP)
        names[i].y = fmin(names[i].y, limit);
    for (size_t i = 0; i < count; i++) {
        if (count <= room) {
            str_addf(out, "<g class=\"s%zu\">\n", names[i].colour);
            svg_text(out, frame->right + 8, names[i].y + 4, "start", "name", names[i].text);
            str_add(out, "</g>\n");
        }
        free(names[i].text);
    }
    free(names);
}

void svg_chart(Str *out, const Chart *chart, SvgSize size) {
    SvgFrame frame = frame_of(chart, size);
    svg_open(out, &frame, size, "Line chart", chart->title);
    svg_text(out, 2, 14, "start", "axis", chart->y_label);
    svg_x_grid(out, &frame);
    svg_y_grid(out, &frame);
    svg_text(out, (frame.left + frame.right) / 2, frame.height - 6, "middle", "axis",
             chart->x_label);
    bool has_points = false;
    add_references(out, &frame, chart);
    for (size_t i = 0; i < chart->series_count; i++) {
        const Series *series = &chart->series[i];
        str_addf(out, "<g class=\"s%zu\">\n", i % SVG_COLOURS);
        add_bands(out, &frame, chart, series);
        add_line(out, &frame, chart, series);
        add_dots(out, &frame, chart, series);
        str_add(out, "</g>\n");
        for (size_t k = 0; k < series->count && !has_points; k++)
            has_points = chart_can_show(chart, &series->points[k]);
    }
    if (size == SVG_WIDE)
        add_names(out, &frame, chart);
    if (!has_points)
        svg_text(out, (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2, "middle",
                 "axis", "no data");
    svg_close(out);
}
