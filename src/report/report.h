// SPDX-License-Identifier: GPL-3.0-or-later
// A report: headings, paragraphs, key figures, tables and charts, put together by calls in the
// order in which they are read, then written in any format. It does not know what its numbers mean.
#pragma once

#include "base/error.h"
#include "report/chart.h"
#include "report/contour.h"
#include "report/heat.h"
#include "report/intervals.h"
#include "report/table.h"

typedef struct Report Report;

Report *report_create(const char *title);
// Who made the page and when (base/byline.h), told below the title in HTML alone: other formats are
// the same bytes on any day.
void report_set_byline(Report *report, const char *text);
void report_destroy(Report *report);
CLEANUP_AT(Report *, report_destroy)

void report_add_heading(Report *report, const char *text);
[[gnu::format(printf, 2, 3)]] void report_add_paragraph(Report *report, const char *format, ...);
// A command or a piece of a file, shown as it is.
void report_add_code(Report *report, const char *text);
// A key figure. Those that follow each other stand side by side; `note` may be NULL.
void report_add_figure(Report *report, const char *label, const char *value, const char *note);
// What is added between the two is behind a click where the format has that.
void report_begin_details(Report *report, const char *summary);
void report_end_details(Report *report);
// The table or chart belongs to the report; the caller fills it.
Table *report_add_table(Report *report, const char *caption);
Chart *report_add_chart(Report *report, const ChartSpec *spec);
Bars *report_add_bars(Report *report, const BarsSpec *spec);
Heat *report_add_heat(Report *report, const HeatSpec *spec);
// Those that follow each other stand side by side.
Contour *report_add_contour(Report *report, const ContourSpec *spec);
Intervals *report_add_intervals(Report *report, const IntervalsSpec *spec);

// For a terminal: aligned columns, charts of characters.
void report_write_text(const Report *report, Str *out);
void report_write_markdown(const Report *report, Str *out);
// One file that needs nothing else: style and drawings inside, no scripts, light and dark, for wide
// screens, phones and paper.
void report_write_html(const Report *report, Str *out);
// Its tables one by one, from 0; NULL behind the last.
const Table *report_table_at(const Report *report, size_t index);
