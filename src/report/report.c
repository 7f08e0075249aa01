// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "report/element.h"
#include "report/escape.h"
#include "report/model.h"

#include <stdlib.h>

Report *report_create(const char *title) {
    Report *report = mem_alloc_zero(1, sizeof *report);
    report->title = mem_copy_string(title);
    return report;
}

void report_set_byline(Report *report, const char *text) {
    free(report->byline);
    report->byline = mem_copy_string(text);
}

void report_destroy(Report *report) {
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->count; i++)
        report->blocks[i].element->destroy(report->blocks[i].content);
    free(report->blocks);
    free(report->title);
    free(report->byline);
    free(report);
}

// Whether a block and the one before it stand in one list; true of none before the first or behind
// the last.
static bool continues_list(const Report *report, size_t i) {
    return i > 0 && i < report->count && report->blocks[i].element->list != NULL &&
           report->blocks[i].element == report->blocks[i - 1].element;
}

void report_write_text(const Report *report, Str *out) {
    element_text_underlined(out, report->title, '=');
    for (size_t i = 0; i < report->count; i++) {
        str_add(out, continues_list(report, i) ? "" : "\n");
        report->blocks[i].element->text(report->blocks[i].content, out);
    }
}

void report_write_markdown(const Report *report, Str *out) {
    element_markdown_line(out, "# ", report->title, "\n");
    for (size_t i = 0; i < report->count; i++) {
        str_add(out, continues_list(report, i) ? "" : "\n");
        report->blocks[i].element->markdown(report->blocks[i].content, out);
    }
}

void report_write_html(const Report *report, Str *out) {
    str_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    element_html_tag(out, "title", report->title);
    str_addf(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", html_style);
    element_html_tag(out, "h1", report->title);
    if (report->byline != NULL) {
        str_add(out, "<p class=\"byline\">");
        escape_html(out, report->byline);
        str_add(out, "</p>\n");
    }
    for (size_t i = 0; i < report->count; i++) {
        const Block *block = &report->blocks[i];
        const char *list = block->element->list;
        if (list != NULL && !continues_list(report, i))
            str_addf(out, "<ul class=\"%s\">\n", list);
        block->element->html(block->content, out);
        if (list != NULL && !continues_list(report, i + 1))
            str_add(out, "</ul>\n");
    }
    str_add(out, "</main>\n</body>\n</html>\n");
}
