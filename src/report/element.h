// SPDX-License-Identifier: GPL-3.0-or-later
// What an element of a report is: how each format writes it. A new one is a file with a
// ReportElement and a function that adds it, and that function's line in report.h.
#pragma once

#include "report/model.h"

struct ReportElement {
    void (*text)(const void *content, Str *out);
    void (*markdown)(const void *content, Str *out);
    void (*html)(const void *content, Str *out);
    void (*destroy)(void *content);
    // The class of the HTML list in which such elements stand that follow each other, without empty
    // lines between them in the other formats; NULL: each stands alone.
    const char *list;
};

// Adds an element at the end; the report owns its content.
void element_add(Report *report, const ReportElement *element, void *content);

// Parts of elements. Empty text writes nothing at all, except of html_tag.
void element_text_line(Str *out, const char *text);
void element_text_underlined(Str *out, const char *text, char line);
// Words, with line ends where a line would be longer than people like to read.
void element_text_wrapped(Str *out, const char *text);
void element_markdown_line(Str *out, const char *before, const char *text, const char *after);
// Lines as they are, in a code block.
void element_markdown_fenced(Str *out, const char *text);
// The numbers of a drawing as a table behind a click, for those who cannot see it or want to copy
// them; destroys the table. `is_part`: of so many that these are evenly spread rows.
void element_html_data(Str *out, Table *table, bool is_part);
// <name>text</name>
void element_html_tag(Str *out, const char *name, const char *text);
// A line of a legend: a drawing of 26 by 10 units in the colour of a series, and its name.
void element_html_key(Str *out, size_t colour, const char *drawing, const char *name);
