// SPDX-License-Identifier: GPL-3.0-or-later
// Reports in Markdown, as GitHub shows it: charts of characters in code blocks.
#include "report/escape.h"
#include "report/model.h"
#include "report/plot.h"

#include <string.h>

static void add_line(Str *out, const char *before, const char *text, const char *after) {
    if (text[0] == '\0')
        return;
    str_add(out, before);
    escape_markdown(out, text);
    str_add(out, after);
}

// A fence longer than any run of backquotes inside.
static void add_fenced(Str *out, const char *text) {
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

static void add_figure(Str *out, const Block *block) {
    add_line(out, "- ", block->text, ": ");
    add_line(out, "**", block->value, "**");
    if (block->note != NULL)
        add_line(out, " (", block->note, ")");
    str_add(out, "\n");
}

static void add_plot(Str *out, const Block *block) {
    Str plot = {0};
    bool is_chart = block->kind == BLOCK_CHART;
    add_line(out, "**", is_chart ? block->chart->title : block->bars->title, "**\n\n");
    if (is_chart)
        plot_chart(block->chart, &plot);
    else
        plot_bars(block->bars, &plot);
    add_fenced(out, str_text(&plot));
    str_free(&plot);
}

static void add_block(Str *out, const Block *block) {
    switch (block->kind) {
    case BLOCK_HEADING:
        add_line(out, "## ", block->text, "\n");
        break;
    case BLOCK_PARAGRAPH:
        add_line(out, "", block->text, "\n");
        break;
    case BLOCK_CODE:
        add_fenced(out, block->text);
        break;
    case BLOCK_FIGURE:
        add_figure(out, block);
        break;
    case BLOCK_TABLE:
        add_line(out, "**", block->table->caption, "**\n\n");
        table_write_markdown(block->table, out);
        break;
    case BLOCK_CHART:
    case BLOCK_BARS:
        add_plot(out, block);
        break;
    }
}

void report_write_markdown(const Report *report, Str *out) {
    add_line(out, "# ", report->title, "\n");
    for (size_t i = 0; i < report->count; i++) {
        const Block *block = &report->blocks[i];
        bool continues = i > 0 && block->kind == BLOCK_FIGURE && block[-1].kind == BLOCK_FIGURE;
        str_add(out, continues ? "" : "\n");
        add_block(out, block);
    }
}
