// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as dots on their intervals: labels to their left on wide screens, above on narrow ones.
#include "report/escape.h"
#include "report/number.h"
#include "report/svg.h"

#include <math.h>

enum { TICKS_MAX = 9, TICKS_MIN = 5 };

static const double row_height = 22, label_height = 16, dot = 4, mark = 5, label_width_max = 260;

static void show_row(const Intervals *intervals, const Interval *row, Str *out) {
    number_add(out, row->value, intervals->decimals);
    if (isnan(row->low) || isnan(row->high))
        return;
    str_add(out, " (");
    number_add(out, row->low, intervals->decimals);
    str_add(out, " to ");
    number_add(out, row->high, intervals->decimals);
    str_add(out, ")");
}

static double widest(const Intervals *intervals, bool is_label) {
    double most = 0;
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < intervals->count; i++) {
        str_clear(&text);
        number_add(&text, intervals->rows[i].interval.value, intervals->decimals);
        most = fmax(most, svg_text_width(is_label ? intervals->rows[i].label : str_text(&text)));
    }
    return most;
}

static SvgFrame frame_of(const Intervals *intervals, SvgSize size) {
    const bool is_wide = size == SVG_WIDE;
    const double row = row_height + (is_wide ? 0 : label_height);
    SvgFrame frame = {.width = is_wide ? 760 : 360, .x = intervals_axis(intervals, TICKS_MAX)};
    for (size_t most = TICKS_MAX;
         most > TICKS_MIN && !svg_ticks_fit(&frame.x, is_wide ? 400 : 260);)
        frame.x = intervals_axis(intervals, --most);
    const double half_tick = svg_ticks_width(&frame.x) / 2;
    const double labels = fmin(widest(intervals, true), label_width_max) + 14;
    frame.left = fmax(is_wide ? labels : 4, half_tick + 4);
    frame.right = frame.width - widest(intervals, false) - 14;
    frame.top = 6;
    frame.bottom = frame.top + row * (double)intervals->count;
    frame.height = frame.bottom + 42;
    return frame;
}

static void add_title(Str *out, const Intervals *intervals, const IntervalRow *row) {
    str_add(out, "<title>");
    escape_html(out, row->label);
    str_add(out, ": ");
    show_row(intervals, &row->interval, out);
    if (!isnan(row->interval.mark) && intervals->mark_label != NULL) {
        str_add(out, "; ");
        escape_html(out, intervals->mark_label);
        str_add(out, " ");
        number_add(out, row->interval.mark, intervals->decimals);
    }
    str_add(out, "</title>\n");
}

// A rhombus.
static void add_mark(Str *out, double x, double y) {
    str_addf(out, "<path class=\"mark s1\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", x,
             y - mark, x + mark, y, x, y + mark, x - mark, y);
}

// An interval without an end goes on to the border.
static void add_row(Str *out, const SvgFrame *frame, const Intervals *intervals,
                    const IntervalRow *row, double y) {
    const Interval *interval = &row->interval;
    CLEANUP(str_free) Str text = {0};
    number_add(&text, interval->value, intervals->decimals);
    str_add(out, interval->is_faint ? "<g class=\"faint\">\n" : "<g>\n");
    add_title(out, intervals, row);
    if (!isnan(interval->low) && !isnan(interval->high))
        str_addf(out, "<path class=\"whisker s0\" d=\"M%.1f %.1fH%.1f\"/>\n",
                 svg_frame_x(frame, intervals_end(&frame->x, interval->low)), y,
                 svg_frame_x(frame, intervals_end(&frame->x, interval->high)));
    if (axis_can_show(interval->mark, false))
        add_mark(out, svg_frame_x(frame, interval->mark), y);
    if (axis_can_show(interval->value, false))
        str_addf(out, "<circle class=\"dot s0\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"/>\n",
                 svg_frame_x(frame, interval->value), y, dot);
    svg_text(out, frame->width - 4, y + 4, "end", "value", str_text(&text));
    str_add(out, "</g>\n");
}

void svg_intervals(Str *out, const Intervals *intervals, SvgSize size) {
    const SvgFrame frame = frame_of(intervals, size);
    const double above = size == SVG_NARROW ? label_height : 0;
    const double zero = svg_frame_x(&frame, 0);
    svg_open(out, &frame, size, "Figures with intervals", intervals->title);
    svg_x_grid(out, &frame);
    str_addf(out, "<line class=\"zero\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", zero,
             frame.top, zero, frame.bottom);
    svg_text(out, (frame.left + frame.right) / 2, frame.height - 6, "middle", "axis",
             intervals->value_label);
    for (size_t i = 0; i < intervals->count; i++) {
        const double y = frame.top + (row_height + above) * (double)i;
        const double middle = y + above + row_height / 2;
        if (size == SVG_NARROW)
            svg_text(out, 2, y + label_height - 3, "start", "label", intervals->rows[i].label);
        else
            svg_text(out, frame.left - 10, middle + 4, "end", "label", intervals->rows[i].label);
        add_row(out, &frame, intervals, &intervals->rows[i], middle);
    }
    svg_close(out);
}
