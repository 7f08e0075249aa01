// SPDX-License-Identifier: GPL-3.0-or-later
// Contour maps: cells in steps of colour, lines at round heights with their numbers, marks.
#include "report/contour_model.h"
#include "report/escape.h"
#include "report/heat_model.h"
#include "report/number.h"

#include <math.h>

enum { TICKS_MAX = 7, TICKS_MIN = 5 };

static Axis axis_of(const double *values, size_t count, size_t most) {
    const Extent extent = {values[0], values[count - 1]};
    Axis axis = axis_create(extent, false, most);
    axis_tighten(&axis, extent);
    return axis;
}

static SvgFrame frame_of(const Contour *contour) {
    SvgFrame frame = {.width = 380,
                      .height = 330,
                      .x = axis_of(contour->xs, contour->x_count, TICKS_MAX),
                      .y = axis_of(contour->ys, contour->y_count, TICKS_MAX)};
    for (size_t most = TICKS_MAX; most > TICKS_MIN && !svg_ticks_fit(&frame.x, 300);)
        frame.x = axis_of(contour->xs, contour->x_count, --most);
    const double half_tick = svg_ticks_width(&frame.x) / 2;
    frame.left = fmax(svg_ticks_width(&frame.y) + 10, half_tick + 2);
    frame.right = frame.width - half_tick - 4;
    frame.top = 24;
    frame.bottom = frame.height - 42;
    return frame;
}

// --- cells ---

static double reach_of(const Contour *contour) {
    double reach = 0;
    for (size_t i = 0; i < contour->x_count * contour->y_count; i++)
        if (isfinite(contour->values[i]))
            reach = fmax(reach, fabs(contour->values[i]));
    return reach;
}

// How a map is coloured: in one step between two lines.
typedef struct Shading {
    Axis heights;
    double reach;
} Shading;

// The middle of the two lines that a height is between; before the first and behind the last line
// an end of the map takes its place.
static double between_lines(const Axis *heights, double height) {
    double below = heights->low, above = heights->high;
    for (size_t i = 0; i < heights->count; i++) {
        if (heights->ticks[i] <= height)
            below = heights->ticks[i];
        else
            above = fmin(above, heights->ticks[i]);
    }
    return (below + above) / 2;
}

// The colour of a cell, by the mean of its corners.
static int level_of(const Contour *contour, const Shading *shading, size_t x, size_t y) {
    const double mean = (contour_at(contour, x, y) + contour_at(contour, x + 1, y) +
                         contour_at(contour, x, y + 1) + contour_at(contour, x + 1, y + 1)) /
                        4;
    if (!isfinite(mean) || !(shading->reach > 0))
        return 0;
    return (int)round(HEAT_LEVELS * between_lines(&shading->heights, mean) / shading->reach);
}

static void add_cell(Str *out, const SvgFrame *frame, const Contour *contour, size_t y, size_t from,
                     size_t to, int level) {
    const double left = svg_frame_x(frame, contour->xs[from]);
    const double top = svg_frame_y(frame, contour->ys[y + 1]);
    str_addf(out, "<rect class=\"%c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
             level < 0 ? 'b' : 'a', level < 0 ? -level : level, left, top,
             svg_frame_x(frame, contour->xs[to]) - left, svg_frame_y(frame, contour->ys[y]) - top);
}

// Neighbours of one colour in a row are one rectangle.
static void add_cells(Str *out, const SvgFrame *frame, const Contour *contour) {
    const Shading shading = {contour_heights(contour), reach_of(contour)};
    str_add(out, "<g class=\"heat\" shape-rendering=\"crispEdges\">\n");
    for (size_t y = 0; y + 1 < contour->y_count; y++)
        for (size_t x = 0, end; x + 1 < contour->x_count; x = end) {
            const int level = level_of(contour, &shading, x, y);
            for (end = x + 1; end + 1 < contour->x_count; end++)
                if (level_of(contour, &shading, end, y) != level)
                    break;
            if (level != 0)
                add_cell(out, frame, contour, y, x, end, level);
        }
    str_add(out, "</g>\n");
}

// --- lines ---

typedef struct Place {
    double x, y;
} Place;

// Whether a number there would stand on a mark or its name.
static bool is_near_mark(const SvgFrame *frame, const Contour *contour, Place place) {
    const double room = 24;
    for (size_t i = 0; i < contour->mark_count; i++)
        if (hypot(svg_frame_x(frame, contour->marks[i].x) - place.x,
                  svg_frame_y(frame, contour->marks[i].y) - place.y) < room)
            return true;
    return false;
}

// Adds the line at a height; returns the middle of its piece that is nearest to the middle of the
// map, apart from marks; NaN where there is none.
static Place add_line(Str *out, const SvgFrame *frame, const Contour *contour, double height) {
    const double middle_x = (frame->left + frame->right) / 2;
    const double middle_y = (frame->top + frame->bottom) / 2;
    Place nearest = {NAN, NAN};
    str_add(out, "<path class=\"contour\" d=\"");
    for (size_t y = 0; y + 1 < contour->y_count; y++)
        for (size_t x = 0; x + 1 < contour->x_count; x++) {
            ContourPiece pieces[2];
            const size_t count = contour_cross(contour, x, y, height, pieces);
            for (size_t i = 0; i < count; i++) {
                const double x1 = svg_frame_x(frame, pieces[i].x1);
                const double y1 = svg_frame_y(frame, pieces[i].y1);
                const double x2 = svg_frame_x(frame, pieces[i].x2);
                const double y2 = svg_frame_y(frame, pieces[i].y2);
                const Place here = {(x1 + x2) / 2, (y1 + y2) / 2};
                str_addf(out, "M%.1f %.1fL%.1f %.1f", x1, y1, x2, y2);
                if (!is_near_mark(frame, contour, here) &&
                    !(hypot(nearest.x - middle_x, nearest.y - middle_y) <=
                      hypot(here.x - middle_x, here.y - middle_y)))
                    nearest = here;
            }
        }
    str_add(out, "\"/>\n");
    return nearest;
}

static void add_lines(Str *out, const SvgFrame *frame, const Contour *contour) {
    const Axis heights = contour_heights(contour);
    Place places[AXIS_TICKS_MAX];
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < heights.count; i++)
        places[i] = add_line(out, frame, contour, heights.ticks[i]);
    for (size_t i = 0; i < heights.count; i++) {
        if (isnan(places[i].x))
            continue;
        str_clear(&text);
        axis_add_tick(&text, &heights, i);
        svg_text(out, places[i].x, places[i].y + 4, "middle", "height", str_text(&text));
    }
}

// --- marks ---

static void add_marks(Str *out, const SvgFrame *frame, const Contour *contour) {
    for (size_t i = 0; i < contour->mark_count; i++) {
        const ContourMark *mark = &contour->marks[i];
        if (!isfinite(mark->x) || !isfinite(mark->y))
            continue;
        const double x = svg_frame_x(frame, mark->x), y = svg_frame_y(frame, mark->y);
        const bool is_right = x > (frame->left + frame->right) / 2;
        str_addf(out, "<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", x, y);
        escape_html(out, mark->name);
        str_add(out, ": ");
        number_add(out, mark->x, contour->x_decimals);
        str_add(out, ", ");
        number_add(out, mark->y, contour->y_decimals);
        str_add(out, "</title></circle>\n");
        svg_text(out, x + (is_right ? -8 : 8), y - 6, is_right ? "end" : "start", "mark-name",
                 mark->name);
    }
}

void contour_svg(Str *out, const Contour *contour) {
    if (contour->xs == NULL)
        return;
    const SvgFrame frame = frame_of(contour);
    str_addf(out,
             "<svg class=\"map\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Contour map: ",
             frame.width, frame.height);
    escape_html(out, contour->title);
    str_add(out, "\">\n");
    svg_text(out, 2, 14, "start", "axis", contour->y_label);
    svg_x_grid(out, &frame);
    svg_y_grid(out, &frame);
    svg_text(out, (frame.left + frame.right) / 2, frame.height - 6, "middle", "axis",
             contour->x_label);
    add_cells(out, &frame, contour);
    add_lines(out, &frame, contour);
    add_marks(out, &frame, contour);
    svg_close(out);
}
