// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "report/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

Report *report_create(const char *title) {
    Report *report = mem_alloc_zero(1, sizeof *report);
    report->title = mem_copy_string(title);
    return report;
}

void report_destroy(Report *report) {
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->count; i++) {
        Block *block = &report->blocks[i];
        free(block->text);
        free(block->value);
        free(block->note);
        table_destroy(block->table);
        chart_destroy(block->chart);
        bars_destroy(block->bars);
    }
    free(report->blocks);
    free(report->title);
    free(report);
}

static Block *add_block(Report *report, BlockKind kind) {
    report->blocks =
        mem_grow(report->blocks, &report->capacity, report->count + 1, sizeof *report->blocks);
    Block *block = &report->blocks[report->count++];
    *block = (Block){.kind = kind};
    return block;
}

void report_add_heading(Report *report, const char *text) {
    add_block(report, BLOCK_HEADING)->text = mem_copy_string(text);
}

void report_add_paragraph(Report *report, const char *format, ...) {
    va_list args;
    char *text;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = mem_copy_string(format);
    va_end(args);
    add_block(report, BLOCK_PARAGRAPH)->text = text;
}

void report_add_code(Report *report, const char *text) {
    add_block(report, BLOCK_CODE)->text = mem_copy_string(text);
}

void report_add_figure(Report *report, const char *label, const char *value, const char *note) {
    Block *block = add_block(report, BLOCK_FIGURE);
    block->text = mem_copy_string(label);
    block->value = mem_copy_string(value);
    block->note = note == NULL ? NULL : mem_copy_string(note);
}

Table *report_add_table(Report *report, const char *caption) {
    return add_block(report, BLOCK_TABLE)->table = table_create(caption);
}

Chart *report_add_chart(Report *report, const ChartSpec *spec) {
    return add_block(report, BLOCK_CHART)->chart = chart_create(spec);
}

Bars *report_add_bars(Report *report, const BarsSpec *spec) {
    return add_block(report, BLOCK_BARS)->bars = bars_create(spec);
}

const Table *report_table_at(const Report *report, size_t index) {
    for (size_t i = 0; i < report->count; i++)
        if (report->blocks[i].kind == BLOCK_TABLE && index-- == 0)
            return report->blocks[i].table;
    return NULL;
}
