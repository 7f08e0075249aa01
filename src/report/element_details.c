// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader opens with a click: its beginning, with a summary, and its end.
#include "base/mem.h"
#include "report/element.h"
#include "report/escape.h"

#include <stdlib.h>

static void begin_text(const void *content, Str *out) {
    element_text_line(out, content);
}

static void begin_markup(const void *content, Str *out) {
    str_add(out, "<details class=\"more\">\n");
    element_html_tag(out, "summary", content);
}

static const ReportElement beginning = {begin_text, begin_markup, begin_markup, free, NULL};

void report_begin_details(Report *report, const char *summary) {
    element_add(report, &beginning, mem_copy_string(summary));
}

static void end_text(const void *content, Str *out) {
    (void)content;
    (void)out;
}

static void end_markup(const void *content, Str *out) {
    (void)content;
    str_add(out, "</details>\n");
}

static const ReportElement ending = {end_text, end_markup, end_markup, free, NULL};

void report_end_details(Report *report) {
    element_add(report, &ending, NULL);
}
