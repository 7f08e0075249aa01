// SPDX-License-Identifier: GPL-3.0-or-later
// Headings, paragraphs, code and key figures.
#include "base/mem.h"
#include "report/element.h"
#include "report/escape.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// --- headings ---

static void heading_text(const void *content, Str *out) {
    element_text_underlined(out, content, '-');
}

static void heading_markdown(const void *content, Str *out) {
    element_markdown_line(out, "## ", content, "\n");
}

static void heading_html(const void *content, Str *out) {
    element_html_tag(out, "h2", content);
}

static const ReportElement heading = {heading_text, heading_markdown, heading_html, free, NULL};

void report_add_heading(Report *report, const char *text) {
    element_add(report, &heading, mem_copy_string(text));
}

// --- paragraphs ---

static void paragraph_text(const void *content, Str *out) {
    element_text_wrapped(out, content);
}

static void paragraph_markdown(const void *content, Str *out) {
    element_markdown_line(out, "", content, "\n");
}

static void paragraph_html(const void *content, Str *out) {
    element_html_tag(out, "p", content);
}

static const ReportElement paragraph = {paragraph_text, paragraph_markdown, paragraph_html, free,
                                        NULL};

void report_add_paragraph(Report *report, const char *format, ...) {
    va_list args;
    char *text;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = mem_copy_string(format);
    va_end(args);
    element_add(report, &paragraph, text);
}

// --- code ---

static void code_text(const void *content, Str *out) {
    escape_lines(out, content, "    ", escape_plain);
}

static void code_markdown(const void *content, Str *out) {
    element_markdown_fenced(out, content);
}

static void code_html(const void *content, Str *out) {
    str_add(out, "<pre>");
    escape_lines(out, content, "", escape_html);
    str_add(out, "</pre>\n");
}

static const ReportElement code = {code_text, code_markdown, code_html, free, NULL};

void report_add_code(Report *report, const char *text) {
    element_add(report, &code, mem_copy_string(text));
}

// --- key figures ---

typedef struct KeyFigure {
    char *label, *value, *note; // owned; the note may be NULL
} KeyFigure;

static void figure_text(const void *content, Str *out) {
    const KeyFigure *figure = content;
    escape_plain(out, figure->label);
    str_add(out, ": ");
    escape_plain(out, figure->value);
    if (figure->note != NULL) {
        str_add(out, " (");
        escape_plain(out, figure->note);
        str_add(out, ")");
    }
    str_add(out, "\n");
}

static void figure_markdown(const void *content, Str *out) {
    const KeyFigure *figure = content;
    element_markdown_line(out, "- ", figure->label, ": ");
    element_markdown_line(out, "**", figure->value, "**");
    if (figure->note != NULL)
        element_markdown_line(out, " (", figure->note, ")");
    str_add(out, "\n");
}

static void figure_html(const void *content, Str *out) {
    const KeyFigure *figure = content;
    str_add(out, "<li><span>");
    escape_html(out, figure->label);
    str_add(out, "</span><b>");
    escape_html(out, figure->value);
    str_add(out, "</b>");
    if (figure->note != NULL) {
        str_add(out, "<small>");
        escape_html(out, figure->note);
        str_add(out, "</small>");
    }
    str_add(out, "</li>\n");
}

static void figure_destroy(void *content) {
    KeyFigure *figure = content;
    free(figure->label);
    free(figure->value);
    free(figure->note);
    free(figure);
}

static const ReportElement key_figure = {figure_text, figure_markdown, figure_html, figure_destroy,
                                         "figures"};

void report_add_figure(Report *report, const char *label, const char *value, const char *note) {
    KeyFigure *figure = mem_alloc(sizeof *figure);
    *figure = (KeyFigure){mem_copy_string(label), mem_copy_string(value),
                          note == NULL ? NULL : mem_copy_string(note)};
    element_add(report, &key_figure, figure);
}
