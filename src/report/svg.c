// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/svg.h"

#include "report/escape.h"

static const double tick_gap = 8;

// Of 12-unit text in the wider of the usual sans-serif fonts, so that nothing is cut.
double svg_text_width(const char *text) {
    double width = 0;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bool is_large = (c >= 'A' && c <= 'Z') || c == 'm' || c == 'w' || c == '%' || c == '@';
        bool is_small = c == ',' || c == '.' || c == ' ' || c == 'i' || c == 'l' || c == 'j';
        bool is_inside = (c & 0xC0) == 0x80;
        width += is_inside ? 0 : is_large ? 8.7 : is_small ? 4 : 7.6;
    }
    return width;
}

double svg_ticks_width(const Axis *axis) {
    double widest = 0;
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < axis->count; i++) {
        str_clear(&text);
        axis_add_tick(&text, axis, i);
        double width = svg_text_width(str_text(&text));
        widest = width > widest ? width : widest;
    }
    return widest;
}

bool svg_ticks_fit(const Axis *axis, double room) {
    return (svg_ticks_width(axis) + tick_gap) * (double)axis->count <= room;
}

void svg_open(Str *out, const SvgFrame *frame, SvgSize size, const char *what, const char *title) {
    str_addf(out, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s",
             size == SVG_WIDE ? "wide" : "narrow", frame->width, frame->height, what);
    str_add(out, title[0] == '\0' ? "" : ": ");
    escape_html(out, title);
    str_add(out, "\">\n");
}

void svg_close(Str *out) {
    str_add(out, "</svg>\n");
}

void svg_text(Str *out, double x, double y, const char *anchor, const char *style,
              const char *text) {
    str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor,
             style);
    escape_html(out, text);
    str_add(out, "</text>\n");
}

static void add_rule(Str *out, double x1, double y1, double x2, double y2) {
    str_addf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1,
             y1, x2, y2);
}

void svg_x_grid(Str *out, const SvgFrame *frame) {
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < frame->x.count; i++) {
        double x = svg_frame_x(frame, frame->x.ticks[i]);
        str_clear(&text);
        axis_add_tick(&text, &frame->x, i);
        add_rule(out, x, frame->top, x, frame->bottom);
        svg_text(out, x, frame->bottom + 16, "middle", "tick", str_text(&text));
    }
}

void svg_y_grid(Str *out, const SvgFrame *frame) {
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < frame->y.count; i++) {
        double y = svg_frame_y(frame, frame->y.ticks[i]);
        str_clear(&text);
        axis_add_tick(&text, &frame->y, i);
        add_rule(out, frame->left, y, frame->right, y);
        svg_text(out, frame->left - 6, y + 4, "end", "tick", str_text(&text));
    }
}
