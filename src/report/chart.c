// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "report/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static char *copy_or_empty(const char *text) {
    return mem_copy_string(text == NULL ? "" : text);
}

Chart *chart_create(const ChartSpec *spec) {
    Chart *chart = mem_alloc_zero(1, sizeof *chart);
    *chart = (Chart){.title = copy_or_empty(spec->title),
                     .x_label = copy_or_empty(spec->x_label),
                     .y_label = copy_or_empty(spec->y_label),
                     .is_log_x = spec->is_log_x,
                     .is_log_y = spec->is_log_y,
                     .x_decimals = spec->x_decimals,
                     .y_decimals = spec->y_decimals};
    return chart;
}

void chart_destroy(Chart *chart) {
    if (chart == NULL)
        return;
    for (size_t i = 0; i < chart->series_count; i++) {
        free(chart->series[i].name);
        free(chart->series[i].points);
    }
    for (size_t i = 0; i < chart->reference_count; i++)
        free(chart->references[i].name);
    free(chart->series);
    free(chart->references);
    free(chart->title);
    free(chart->x_label);
    free(chart->y_label);
    free(chart);
}

size_t chart_add_series(Chart *chart, const char *name) {
    chart->series = mem_grow(chart->series, &chart->series_capacity, chart->series_count + 1,
                             sizeof *chart->series);
    chart->series[chart->series_count] = (Series){.name = mem_copy_string(name)};
    return chart->series_count++;
}

void chart_add_range(Chart *chart, size_t series, double x, double y, double low, double high) {
    assert(series < chart->series_count);
    Series *to = &chart->series[series];
    MEM_ADD(to->points, to->count, to->capacity) = (Point){x, y, low, high};
    to->has_ranges |= !isnan(low) && !isnan(high);
}

void chart_add_point(Chart *chart, size_t series, double x, double y) {
    chart_add_range(chart, series, x, y, NAN, NAN);
}

void chart_add_reference(Chart *chart, const char *name, double y) {
    MEM_ADD(chart->references, chart->reference_count, chart->reference_capacity) =
        (Reference){mem_copy_string(name), y};
}

bool chart_can_show(const Chart *chart, const Point *point) {
    return axis_can_show(point->x, chart->is_log_x) && axis_can_show(point->y, chart->is_log_y);
}

Axis chart_x_axis(const Chart *chart, size_t most) {
    Extent extent = AXIS_NOTHING;
    bool is_whole = true;
    for (size_t i = 0; i < chart->series_count; i++)
        for (size_t k = 0; k < chart->series[i].count; k++) {
            const Point *point = &chart->series[i].points[k];
            if (!chart_can_show(chart, point))
                continue;
            axis_include(&extent, point->x, chart->is_log_x);
            is_whole = is_whole && point->x == floor(point->x);
        }
    Axis axis = axis_create(extent, chart->is_log_x, most);
    axis_tighten(&axis, extent);
    if (is_whole)
        axis_keep_whole_ticks(&axis);
    return axis;
}

Axis chart_y_axis(const Chart *chart, size_t most) {
    Extent extent = AXIS_NOTHING;
    for (size_t i = 0; i < chart->series_count; i++)
        for (size_t k = 0; k < chart->series[i].count; k++) {
            const Point *point = &chart->series[i].points[k];
            if (!chart_can_show(chart, point))
                continue;
            axis_include(&extent, point->y, chart->is_log_y);
            axis_include(&extent, point->low, chart->is_log_y);
            axis_include(&extent, point->high, chart->is_log_y);
        }
    for (size_t i = 0; i < chart->reference_count; i++)
        axis_include(&extent, chart->references[i].y, chart->is_log_y);
    return axis_create(extent, chart->is_log_y, most);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// All x in order, each once; the caller frees them.
static double *distinct_x(const Chart *chart, size_t *count) {
    size_t total = 0, kept = 0;
    for (size_t i = 0; i < chart->series_count; i++)
        total += chart->series[i].count;
    double *xs = mem_alloc_zero(total + 1, sizeof *xs);
    total = 0;
    for (size_t i = 0; i < chart->series_count; i++)
        for (size_t k = 0; k < chart->series[i].count; k++)
            if (!isnan(chart->series[i].points[k].x))
                xs[total++] = chart->series[i].points[k].x;
    qsort(xs, total, sizeof *xs, by_value);
    for (size_t i = 0; i < total; i++)
        if (kept == 0 || xs[kept - 1] != xs[i])
            xs[kept++] = xs[i];
    *count = kept;
    return xs;
}

// Series mostly have the same x in the same order: `from` is where the last search ended.
static const Point *find_point(const Series *series, double x, size_t *from) {
    for (size_t i = 0; i < series->count; i++) {
        size_t k = (*from + i) % series->count;
        if (series->points[k].x == x) {
            *from = k;
            return &series->points[k];
        }
    }
    return NULL;
}

size_t chart_x_count(const Chart *chart) {
    size_t count;
    free(distinct_x(chart, &count));
    return count;
}

static void add_table_columns(const Chart *chart, Table *table) {
    table_add_number_column(table, chart->x_label, chart->x_decimals);
    for (size_t i = 0; i < chart->series_count; i++) {
        const Series *series = &chart->series[i];
        table_add_number_column(table, series->name, chart->y_decimals);
        if (!series->has_ranges)
            continue;
        CLEANUP(str_free) Str name = {0};
        str_addf(&name, "%s, low", series->name);
        table_add_number_column(table, str_text(&name), chart->y_decimals);
        str_setf(&name, "%s, high", series->name);
        table_add_number_column(table, str_text(&name), chart->y_decimals);
    }
}

Table *chart_to_table(const Chart *chart, size_t rows_max) {
    size_t count, *from = mem_alloc_zero(chart->series_count + 1, sizeof *from);
    double *xs = distinct_x(chart, &count);
    Table *table = table_create(chart->title);
    add_table_columns(chart, table);
    size_t rows = rows_max == 0 || count <= rows_max ? count : rows_max;
    for (size_t row = 0; row < rows; row++) {
        double x = xs[rows == 1 ? 0 : row * (count - 1) / (rows - 1)];
        table_add_number(table, x);
        for (size_t i = 0; i < chart->series_count; i++) {
            const Point *point = find_point(&chart->series[i], x, &from[i]);
            table_add_number(table, point == NULL ? NAN : point->y);
            if (!chart->series[i].has_ranges)
                continue;
            TABLE_ADD_NUMBERS(table, point == NULL ? NAN : point->low,
                              point == NULL ? NAN : point->high);
        }
    }
    free(xs);
    free(from);
    return table;
}
