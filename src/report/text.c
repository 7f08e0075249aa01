// SPDX-License-Identifier: GPL-3.0-or-later
// Reports for a terminal.
#include "report/escape.h"
#include "report/model.h"
#include "report/plot.h"

#include <string.h>

enum { TEXT_WIDTH = 100 };

static void add_underlined(Str *out, const char *text, char line) {
    Str plain = {0};
    escape_plain(&plain, text);
    str_addf(out, "%s\n", str_text(&plain));
    for (size_t i = escape_width(str_text(&plain)); i > 0; i--)
        str_addf(out, "%c", line);
    str_add(out, "\n");
    str_free(&plain);
}

// Words, with line ends where a line would be longer than people like to read.
static void add_wrapped(Str *out, const char *text) {
    Str plain = {0}, word = {0};
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
    str_free(&plain);
    str_free(&word);
}

static void add_line(Str *out, const char *text) {
    escape_plain(out, text);
    str_add(out, text[0] == '\0' ? "" : "\n");
}

static void add_figure(Str *out, const Block *block) {
    escape_plain(out, block->text);
    str_add(out, ": ");
    escape_plain(out, block->value);
    if (block->note != NULL) {
        str_add(out, " (");
        escape_plain(out, block->note);
        str_add(out, ")");
    }
    str_add(out, "\n");
}

static void add_block(Str *out, const Block *block) {
    switch (block->kind) {
    case BLOCK_HEADING:
        add_underlined(out, block->text, '-');
        break;
    case BLOCK_PARAGRAPH:
        add_wrapped(out, block->text);
        break;
    case BLOCK_CODE:
        escape_lines(out, block->text, "    ", escape_plain);
        break;
    case BLOCK_FIGURE:
        add_figure(out, block);
        break;
    case BLOCK_TABLE:
        add_line(out, block->table->caption);
        table_write_text(block->table, out);
        break;
    case BLOCK_CHART:
        add_line(out, block->chart->title);
        plot_chart(block->chart, out);
        break;
    case BLOCK_BARS:
        add_line(out, block->bars->title);
        plot_bars(block->bars, out);
        break;
    }
}

void report_write_text(const Report *report, Str *out) {
    add_underlined(out, report->title, '=');
    for (size_t i = 0; i < report->count; i++) {
        const Block *block = &report->blocks[i];
        bool continues = i > 0 && block->kind == BLOCK_FIGURE && block[-1].kind == BLOCK_FIGURE;
        str_add(out, continues ? "" : "\n");
        add_block(out, block);
    }
}
