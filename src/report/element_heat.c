// SPDX-License-Identifier: GPL-3.0-or-later
// Heat maps in a report.
#include "report/element.h"
#include "report/escape.h"
#include "report/heat_model.h"
#include "report/number.h"

enum { TEXT_PLACES = 50, DATA_ROWS = 32 };

// From far below to far above.
static const char glyphs[2 * HEAT_LEVELS + 1] = {'=', '=', '-', '-', '.', '+', '+', '#', '#'};

static size_t plain_width(const char *name) {
    CLEANUP(str_free) Str plain = {0};
    escape_plain(&plain, name);
    return escape_width(str_text(&plain));
}

static void add_padded(Str *out, const char *name, size_t width) {
    CLEANUP(str_free) Str plain = {0};
    escape_plain(&plain, name);
    str_add(out, str_text(&plain));
    for (size_t i = escape_width(str_text(&plain)); i < width; i++)
        str_add(out, " ");
}

void heat_plot(const Heat *heat, Str *out) {
    const size_t count = heat->column_count;
    const size_t places = count < TEXT_PLACES ? count : TEXT_PLACES;
    size_t width = 0;
    for (size_t i = 0; i < heat->row_count; i++) {
        const size_t own = plain_width(heat->rows[i].name);
        width = own > width ? own : width;
    }
    for (size_t i = 0; i < heat->row_count; i++) {
        const HeatRow *row = &heat->rows[i];
        add_padded(out, row->name, width);
        str_add(out, " |");
        for (size_t place = 0; place < places; place++)
            str_addf(out, "%c",
                     glyphs[HEAT_LEVELS + heat_level(row, heat_column_at(heat, place, places))]);
        str_add(out, "| ");
        number_add(out, row->middle, heat->decimals);
        str_add(out, "\n");
    }
    str_add(out, "= -  ");
    escape_plain(out, heat->meanings[HEAT_BELOW]);
    str_add(out, "   .  ");
    escape_plain(out, heat->meanings[HEAT_MIDDLE]);
    str_add(out, "   + #  ");
    escape_plain(out, heat->meanings[HEAT_ABOVE]);
    str_add(out, "\n");
}

static void text(const void *content, Str *out) {
    const Heat *heat = content;
    element_text_line(out, heat->title);
    heat_plot(heat, out);
}

static void markdown(const void *content, Str *out) {
    const Heat *heat = content;
    CLEANUP(str_free) Str plot = {0};
    heat_plot(heat, &plot);
    element_markdown_line(out, "**", heat->title, "**\n\n");
    element_markdown_fenced(out, str_text(&plot));
}

static void add_key(Str *out, char kind, const char *meaning) {
    str_add(out, "<li class=\"heat\"><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\">");
    str_add(out, "<rect class=\"strip\" width=\"26\" height=\"10\"/>");
    for (int level = 1; level <= HEAT_LEVELS && kind != '\0'; level++)
        str_addf(out, "<rect class=\"%c%d\" x=\"%.1f\" width=\"6.5\" height=\"10\"/>", kind, level,
                 6.5 * (level - 1));
    str_add(out, "</svg>");
    escape_html(out, meaning);
    str_add(out, "</li>\n");
}

static void html(const void *content, Str *out) {
    const Heat *heat = content;
    str_add(out, "<figure>\n");
    element_html_tag(out, "figcaption", heat->title);
    str_add(out, "<ul class=\"legend\">\n");
    add_key(out, 'b', heat->meanings[HEAT_BELOW]);
    add_key(out, '\0', heat->meanings[HEAT_MIDDLE]);
    add_key(out, 'a', heat->meanings[HEAT_ABOVE]);
    str_add(out, "</ul>\n");
    heat_svg(out, heat, SVG_WIDE);
    heat_svg(out, heat, SVG_NARROW);
    element_html_data(out, heat_to_table(heat, DATA_ROWS), heat->column_count > DATA_ROWS);
    str_add(out, "</figure>\n");
}

static void destroy(void *content) {
    heat_destroy(content);
}

static const ReportElement element = {text, markdown, html, destroy, NULL};

Heat *report_add_heat(Report *report, const HeatSpec *spec) {
    Heat *heat = heat_create(spec);
    element_add(report, &element, heat);
    return heat;
}
