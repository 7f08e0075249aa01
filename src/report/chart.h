// SPDX-License-Identifier: GPL-3.0-or-later
// Charts: lines of points with bands and reference lines, and horizontal bars in groups,
// with error bars where there are ranges.
#pragma once

#include "report/table.h"

typedef struct Chart Chart;
typedef struct Bars Bars;

// The texts are copied. Decimals are those of tooltips and tables; ticks have their own.
typedef struct ChartSpec {
    const char *title, *x_label, *y_label;
    bool is_log_x, is_log_y; // where values that are not positive leave gaps
    int x_decimals, y_decimals;
} ChartSpec;

typedef struct BarsSpec {
    const char *title, *value_label;
    int decimals;
} BarsSpec;

// Returns the number of the series, from 0.
size_t chart_add_series(Chart *chart, const char *name);
// Points are joined in the order they come; NaN and infinity leave gaps.
void chart_add_point(Chart *chart, size_t series, double x, double y);
// A point with the range around it, such as the least and greatest of several runs.
void chart_add_range(Chart *chart, size_t series, double x, double y, double low, double high);
// A dashed line across the chart.
void chart_add_reference(Chart *chart, const char *name, double y);
// The points as a table, one row for each x, with `rows_max` rows spread evenly (0: all of them).
// The caller owns it.
Table *chart_to_table(const Chart *chart, size_t rows_max);

size_t bars_add_series(Bars *bars, const char *name);
// One bar for each series; all series come before the first group.
void bars_add_group(Bars *bars, const char *label, const double *values);
// The same with a range around each, drawn as an error bar; NaN where there is none.
void bars_add_ranges(Bars *bars, const char *label, const double *values, const double *lows,
                     const double *highs);
Table *bars_to_table(const Bars *bars);
