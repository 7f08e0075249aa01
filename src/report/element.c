// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/element.h"

#include "base/mem.h"
#include "report/escape.h"

#include <string.h>

enum { TEXT_WIDTH = 100 };

void element_add(Report *report, const ReportElement *element, void *content) {
    MEM_ADD(report->blocks, report->count, report->capacity) = (Block){element, content};
}

void element_text_line(Str *out, const char *text) {
    escape_plain(out, text);
    str_add(out, text[0] == '\0' ? "" : "\n");
}

void element_text_underlined(Str *out, const char *text, char line) {
    CLEANUP(str_free) Str plain = {0};
    escape_plain(&plain, text);
    str_addf(out, "%s\n", str_text(&plain));
    for (size_t i = escape_width(str_text(&plain)); i > 0; i--)
        str_addf(out, "%c", line);
    str_add(out, "\n");
}

void element_text_wrapped(Str *out, const char *text) {
    CLEANUP(str_free) Str plain = {0};
    CLEANUP(str_free) Str word = {0};
    size_t column = 0;
    escape_plain(&plain, text);
    for (const char *at = str_text(&plain); *at != '\0';) {
        const size_t length = strcspn(at, " "), blanks = strspn(at + length, " ");
        str_clear(&word);
        str_append(&word, at, length);
        const size_t width = escape_width(str_text(&word));
        const bool fits = column == 0 || column + 1 + width <= TEXT_WIDTH;
        str_add(out, column == 0 ? "" : fits ? " " : "\n");
        str_add(out, str_text(&word));
        column = fits && column > 0 ? column + 1 + width : width;
        at += length + blanks;
    }
    str_add(out, plain.length == 0 ? "" : "\n");
}

void element_markdown_line(Str *out, const char *before, const char *text, const char *after) {
    if (text[0] == '\0')
        return;
    str_add(out, before);
    escape_markdown(out, text);
    str_add(out, after);
}

// A fence longer than any run of backquotes inside.
void element_markdown_fenced(Str *out, const char *text) {
    size_t longest = 2;
    for (const char *at = strchr(text, '`'); at != NULL; at = strchr(at, '`')) {
        size_t run = strspn(at, "`");
        longest = run > longest ? run : longest;
        at += run;
    }
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i <= longest; i++)
            str_add(out, "`");
        str_add(out, "\n");
        if (end == 0)
            escape_lines(out, text, "", escape_plain);
    }
}

void element_html_tag(Str *out, const char *name, const char *text) {
    str_addf(out, "<%s>", name);
    escape_html(out, text);
    str_addf(out, "</%s>\n", name);
}

// The key looks like what it stands for; it says nothing to those who hear the page.
void element_html_key(Str *out, size_t colour, const char *drawing, const char *name) {
    str_addf(out, "<li class=\"s%zu\"><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\">%s</svg>",
             colour, drawing);
    escape_html(out, name);
    str_add(out, "</li>\n");
}

void element_html_data(Str *out, Table *table, bool is_part) {
    str_addf(out, "<details>\n<summary>%s</summary>\n",
             is_part ? "Data (evenly spread rows)" : "Data");
    table->caption[0] = '\0';
    table_write_html(table, out);
    str_add(out, "</details>\n");
    table_destroy(table);
}
