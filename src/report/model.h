// SPDX-License-Identifier: GPL-3.0-or-later
// What reports and charts are made of, for those who write them in a format.
#pragma once

#include "report/axis.h"
#include "report/report.h"
#include "report/table_model.h"

enum { CHART_TABLE_ROWS = 256 }; // of the table that goes with a chart

typedef struct Point {
    double x, y, low, high; // low and high are NaN where there is no range
} Point;

typedef struct Series {
    char *name;    // owned
    Point *points; // owned
    size_t count, capacity;
    bool has_ranges;
} Series;

typedef struct Reference {
    char *name; // owned
    double y;
} Reference;

struct Chart {
    char *title, *x_label, *y_label; // owned
    bool is_log_x, is_log_y;
    int x_decimals, y_decimals;
    Series *series; // owned
    size_t series_count, series_capacity;
    Reference *references; // owned
    size_t reference_count, reference_capacity;
};

typedef struct Bar {
    double value, low, high; // low and high are NaN where there is no range
} Bar;

struct Bars {
    char *title, *value_label; // owned
    int decimals;
    char **series; // owned
    size_t series_count, series_capacity;
    char **labels; // owned
    size_t group_count, group_capacity;
    Bar *items; // owned: by groups
    size_t item_capacity;
    bool has_ranges;
};

typedef struct IntervalRow {
    char *label; // owned
    Interval interval;
} IntervalRow;

struct Intervals {
    char *title, *value_label, *mark_label; // owned; the last may be NULL
    int decimals;
    IntervalRow *rows; // owned
    size_t count, capacity;
};

// An element with its content, which it owns.
typedef struct ReportElement ReportElement;
typedef struct Block {
    const ReportElement *element; // see element.h
    void *content;
} Block;

struct Report {
    char *title;   // owned
    char *byline;  // owned; NULL: none
    Block *blocks; // owned
    size_t count, capacity;
};

Chart *chart_create(const ChartSpec *spec);
void chart_destroy(Chart *chart);
Bars *bars_create(const BarsSpec *spec);
void bars_destroy(Bars *bars);

// Whether the point has a place in the chart.
bool chart_can_show(const Chart *chart, const Point *point);
// How many different x there are: the rows of the whole table.
size_t chart_x_count(const Chart *chart);
// Axes that hold all that can be shown.
Axis chart_x_axis(const Chart *chart, size_t most);
Axis chart_y_axis(const Chart *chart, size_t most);
// Whether a bar has a range that can be drawn.
bool bars_can_show_range(const Bar *bar);
// Zero is always on it.
Axis bars_axis(const Bars *bars, size_t most);
Axis intervals_axis(const Intervals *intervals, size_t most);
// The value, or the end of the axis that it is beyond; NaN of NaN.
double intervals_end(const Axis *axis, double value);

// Charts drawn with plain characters (plot.c).
void chart_plot(const Chart *chart, Str *out);
void bars_plot(const Bars *bars, Str *out);
// The style sheet of HTML reports (html_style.c).
extern const char *const html_style;
