// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as SVG inside an HTML page whose style (html_style.c) knows the classes used here. Each is
// drawn twice, for wide and for narrow screens, because text cannot shrink with the drawing.
#pragma once

#include "report/model.h"

enum { SVG_COLOURS = 6 };

typedef enum SvgSize { SVG_WIDE, SVG_NARROW } SvgSize;

// The part of a drawing in which data lie, and its axes.
typedef struct SvgFrame {
    double width, height;            // of the drawing
    double left, right, top, bottom; // of the part, in the coordinates of the drawing
    Axis x, y;
} SvgFrame;

static inline double svg_frame_x(const SvgFrame *frame, double x) {
    return frame->left + axis_place(&frame->x, x) * (frame->right - frame->left);
}
static inline double svg_frame_y(const SvgFrame *frame, double y) {
    return frame->bottom - axis_place(&frame->y, y) * (frame->bottom - frame->top);
}

// About how wide text of the size used for labels is.
double svg_text_width(const char *text);
double svg_ticks_width(const Axis *axis);
// Whether the numbers of all ticks fit side by side.
bool svg_ticks_fit(const Axis *axis, double room);
// Opens the drawing; `what` and `title` tell those who cannot see it what it is.
void svg_open(Str *out, const SvgFrame *frame, SvgSize size, const char *what, const char *title);
void svg_close(Str *out);
// Escaped text; `anchor` is start, middle or end.
void svg_text(Str *out, double x, double y, const char *anchor, const char *style,
              const char *text);
// Lines across the drawing at each tick, with the tick's number.
void svg_x_grid(Str *out, const SvgFrame *frame);
void svg_y_grid(Str *out, const SvgFrame *frame);

void svg_chart(Str *out, const Chart *chart, SvgSize size);
void svg_bars(Str *out, const Bars *bars, SvgSize size);
void svg_intervals(Str *out, const Intervals *intervals, SvgSize size);
