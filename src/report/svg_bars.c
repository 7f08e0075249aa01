// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars in groups: labels to their left on wide screens, above them on narrow ones.
#include "report/escape.h"
#include "report/number.h"
#include "report/svg.h"

#include <math.h>

enum { TICKS_MAX = 9, TICKS_MIN = 5 };

static const double bar_height = 11, group_gap = 9, label_height = 17, label_width_max = 290;

static double labels_width(const Bars *bars) {
    double widest = 0;
    for (size_t i = 0; i < bars->group_count; i++)
        widest = fmax(widest, svg_text_width(bars->labels[i]));
    return fmin(widest, label_width_max);
}

static double values_width(const Bars *bars) {
    double widest = 0;
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < bars->group_count * bars->series_count; i++) {
        str_clear(&text);
        number_add(&text, bars->items[i].value, bars->decimals);
        widest = fmax(widest, svg_text_width(str_text(&text)));
    }
    return widest;
}

static double group_height(const Bars *bars, SvgSize size) {
    double height = bar_height * (double)bars->series_count + group_gap;
    return size == SVG_WIDE ? fmax(height, label_height) : height + label_height;
}

static SvgFrame frame_of(const Bars *bars, SvgSize size) {
    bool is_wide = size == SVG_WIDE;
    SvgFrame frame = {.width = is_wide ? 760 : 360, .x = bars_axis(bars, TICKS_MAX)};
    for (size_t most = TICKS_MAX;
         most > TICKS_MIN && !svg_ticks_fit(&frame.x, is_wide ? 500 : 300);)
        frame.x = bars_axis(bars, --most);
    double half_tick = svg_ticks_width(&frame.x) / 2, value = values_width(bars) + 6;
    bool has_negative = frame.x.low < 0;
    frame.left = fmax(is_wide ? labels_width(bars) + 12 : 4, half_tick + 2);
    frame.left += has_negative ? value : 0;
    frame.right = frame.width - fmax(half_tick, value) - 4;
    frame.top = 6;
    frame.bottom = frame.top + group_height(bars, size) * (double)bars->group_count;
    frame.height = frame.bottom + 42;
    return frame;
}

// A thin line from the low to the high end, with a stroke across at each; returns where it ends,
// away from zero.
static double add_range(Str *out, const SvgFrame *frame, const Bar *bar, double y) {
    const double low = svg_frame_x(frame, bar->low), high = svg_frame_x(frame, bar->high);
    const double top = y + 2, bottom = y + bar_height - 3, middle = (top + bottom) / 2;
    str_addf(out, "<path class=\"range\" d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fV%.1f\"/>\n",
             low, top, bottom, low, middle, high, high, top, bottom);
    return bar->value < 0 ? low : high;
}

static void add_tooltip(Str *out, const Bars *bars, size_t group, size_t series, const char *text) {
    const Bar *bar = &bars->items[group * bars->series_count + series];
    str_add(out, "<title>");
    escape_html(out, bars->labels[group]);
    str_add(out, ", ");
    escape_html(out, bars->series[series]);
    str_addf(out, ": %s", text);
    if (bars_can_show_range(bar))
        number_add_range(out, bar->low, bar->high, bars->decimals);
    str_add(out, "</title>");
}

static void add_bar(Str *out, const SvgFrame *frame, const Bars *bars, size_t group, size_t series,
                    double y) {
    const Bar *bar = &bars->items[group * bars->series_count + series];
    double zero = svg_frame_x(frame, 0), end = zero;
    CLEANUP(str_free) Str text = {0};
    number_add(&text, bar->value, bars->decimals);
    str_addf(out, "<g class=\"s%zu\">\n", series % SVG_COLOURS);
    if (axis_can_show(bar->value, false)) {
        end = svg_frame_x(frame, bar->value);
        str_addf(out, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
                 fmin(zero, end), y, fabs(end - zero), bar_height - 1);
        add_tooltip(out, bars, group, series, str_text(&text));
        str_add(out, "</rect>\n");
    }
    bool is_negative = end < zero;
    if (bars_can_show_range(bar)) {
        const double reached = add_range(out, frame, bar, y);
        end = is_negative ? fmin(end, reached) : fmax(end, reached);
    }
    svg_text(out, end + (is_negative ? -4 : 4), y + bar_height - 2, is_negative ? "end" : "start",
             "value", str_text(&text));
    str_add(out, "</g>\n");
}

static void add_label(Str *out, const SvgFrame *frame, const Bars *bars, size_t group, SvgSize size,
                      double y) {
    if (size == SVG_NARROW) {
        svg_text(out, 2, y + 11, "start", "label", bars->labels[group]);
        return;
    }
    double middle = y + bar_height * (double)bars->series_count / 2 + 4;
    double room = frame->x.low < 0 ? values_width(bars) + 6 : 0;
    svg_text(out, frame->left - room - 8, middle, "end", "label", bars->labels[group]);
}

void svg_bars(Str *out, const Bars *bars, SvgSize size) {
    SvgFrame frame = frame_of(bars, size);
    svg_open(out, &frame, size, "Bar chart", bars->title);
    svg_x_grid(out, &frame);
    svg_text(out, (frame.left + frame.right) / 2, frame.height - 6, "middle", "axis",
             bars->value_label);
    for (size_t g = 0; g < bars->group_count; g++) {
        double y = frame.top + group_height(bars, size) * (double)g + group_gap / 2;
        add_label(out, &frame, bars, g, size, y);
        y += size == SVG_NARROW ? label_height : 0;
        for (size_t i = 0; i < bars->series_count; i++)
            add_bar(out, &frame, bars, g, i, y + bar_height * (double)i);
    }
    svg_close(out);
}
