// SPDX-License-Identifier: GPL-3.0-or-later
// Contour maps in a report: drawings side by side, or tables of their heights.
#include "report/contour_model.h"
#include "report/element.h"

enum { TEXT_MOST = 9, DATA_MOST = 13 };

static void text(const void *content, Str *out) {
    const Contour *contour = content;
    if (contour->xs == NULL)
        return;
    CLEANUP(table_destroy_at) Table *table = contour_to_table(contour, TEXT_MOST);
    element_text_line(out, contour->title);
    table_write_text(table, out);
    str_add(out, "\n");
}

static void markdown(const void *content, Str *out) {
    const Contour *contour = content;
    if (contour->xs == NULL)
        return;
    CLEANUP(table_destroy_at) Table *table = contour_to_table(contour, TEXT_MOST);
    element_markdown_line(out, "**", contour->title, "**\n\n");
    table_write_markdown(table, out);
    str_add(out, "\n");
}

static void html(const void *content, Str *out) {
    const Contour *contour = content;
    str_add(out, "<li>\n");
    element_html_tag(out, "strong", contour->title);
    if (contour->xs != NULL) {
        contour_svg(out, contour);
        element_html_data(out, contour_to_table(contour, DATA_MOST), false);
    }
    str_add(out, "</li>\n");
}

static void destroy(void *content) {
    contour_destroy(content);
}

static const ReportElement element = {text, markdown, html, destroy, "maps"};

Contour *report_add_contour(Report *report, const ContourSpec *spec) {
    Contour *contour = contour_create(spec);
    element_add(report, &element, contour);
    return contour;
}
