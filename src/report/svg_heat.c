// SPDX-License-Identifier: GPL-3.0-or-later
// Heat maps: names to the left of their rows on wide screens and above them on narrow ones, the
// middle and the reach of each row to its right.
#include "base/mem.h"
#include "report/escape.h"
#include "report/heat_model.h"
#include "report/number.h"

#include <math.h>

enum { TICKS_MAX = 9, TICKS_MIN = 5, PLACES_WIDE = 100, PLACES_NARROW = 60 };

static const double strip_height = 13, row_gap = 3, name_height = 16, name_width_max = 290;

// "312.5 ± 40.0"
static void add_scale(const Heat *heat, const HeatRow *row, Str *out) {
    number_add(out, row->middle, heat->decimals);
    str_add(out, " ± ");
    number_add(out, row->reach, heat->decimals);
}

static double names_width(const Heat *heat) {
    double widest = 0;
    for (size_t i = 0; i < heat->row_count; i++)
        widest = fmax(widest, svg_text_width(heat->rows[i].name));
    return fmin(widest, name_width_max);
}

static double scales_width(const Heat *heat) {
    double widest = 0;
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < heat->row_count; i++) {
        str_clear(&text);
        add_scale(heat, &heat->rows[i], &text);
        widest = fmax(widest, svg_text_width(str_text(&text)));
    }
    return widest;
}

static double row_height(SvgSize size) {
    return strip_height + row_gap + (size == SVG_NARROW ? name_height : 0);
}

static Axis axis_of(const Heat *heat, size_t most) {
    const Extent extent = {heat->xs[0], heat->xs[heat->column_count - 1]};
    Axis axis = axis_create(extent, false, most);
    axis_tighten(&axis, extent);
    if (heat->x_decimals == 0)
        axis_keep_whole_ticks(&axis);
    return axis;
}

static SvgFrame frame_of(const Heat *heat, SvgSize size) {
    const bool is_wide = size == SVG_WIDE;
    SvgFrame frame = {.width = is_wide ? 760 : 360, .x = axis_of(heat, TICKS_MAX)};
    for (size_t most = TICKS_MAX;
         most > TICKS_MIN && !svg_ticks_fit(&frame.x, is_wide ? 400 : 300);)
        frame.x = axis_of(heat, --most);
    const double half_tick = svg_ticks_width(&frame.x) / 2;
    frame.left = fmax(is_wide ? names_width(heat) + 10 : 2, half_tick + 2);
    frame.right = frame.width - fmax(half_tick + 2, is_wide ? scales_width(heat) + 10 : 2);
    frame.top = 4;
    frame.bottom = frame.top + row_height(size) * (double)heat->row_count;
    frame.height = frame.bottom + 42;
    return frame;
}

// Where a place of the strip begins: half-way from the one before, or at the left end.
static double edge_of(const SvgFrame *frame, const Heat *heat, size_t place, size_t places) {
    if (place == 0)
        return frame->left;
    if (place == places)
        return frame->right;
    const double before = heat->xs[heat_column_at(heat, place - 1, places)];
    return svg_frame_x(frame, (before + heat->xs[heat_column_at(heat, place, places)]) / 2);
}

// Neighbours of one colour are one rectangle.
static void add_cells(Str *out, const SvgFrame *frame, const Heat *heat, const HeatRow *row,
                      size_t places, double y) {
    for (size_t place = 0, end; place < places; place = end) {
        const int level = heat_level(row, heat_column_at(heat, place, places));
        for (end = place + 1; end < places; end++)
            if (heat_level(row, heat_column_at(heat, end, places)) != level)
                break;
        const double left = edge_of(frame, heat, place, places);
        if (level != 0)
            str_addf(out,
                     "<rect class=\"%c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                     "height=\"%.0f\"/>\n",
                     level < 0 ? 'b' : 'a', level < 0 ? -level : level, left, y,
                     edge_of(frame, heat, end, places) - left, strip_height);
    }
}

static void add_row(Str *out, const SvgFrame *frame, const Heat *heat, size_t index, SvgSize size) {
    const HeatRow *row = &heat->rows[index];
    const size_t most = size == SVG_WIDE ? PLACES_WIDE : PLACES_NARROW;
    const size_t places = heat->column_count < most ? heat->column_count : most;
    double y = frame->top + row_height(size) * (double)index;
    CLEANUP(str_free) Str scale = {0};
    add_scale(heat, row, &scale);
    if (size == SVG_NARROW) {
        svg_text(out, 2, y + 12, "start", "label", row->name);
        svg_text(out, frame->width - 2, y + 12, "end", "tick", str_text(&scale));
        y += name_height;
    } else {
        svg_text(out, frame->left - 6, y + 10, "end", "label", row->name);
        svg_text(out, frame->right + 6, y + 10, "start", "tick", str_text(&scale));
    }
    str_addf(out, "<g class=\"heat\"><title>");
    escape_html(out, row->name);
    str_addf(out, ": %s</title>\n", str_text(&scale));
    str_addf(out, "<rect class=\"strip\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\"/>\n",
             frame->left, y, frame->right - frame->left, strip_height);
    add_cells(out, frame, heat, row, places, y);
    str_add(out, "</g>\n");
}

void heat_svg(Str *out, const Heat *heat, SvgSize size) {
    if (heat->column_count == 0 || heat->row_count == 0)
        return;
    const SvgFrame frame = frame_of(heat, size);
    svg_open(out, &frame, size, "Heat map", heat->title);
    svg_x_grid(out, &frame);
    svg_text(out, (frame.left + frame.right) / 2, frame.height - 6, "middle", "axis",
             heat->x_label);
    for (size_t i = 0; i < heat->row_count; i++)
        add_row(out, &frame, heat, i, size);
    svg_close(out);
}
