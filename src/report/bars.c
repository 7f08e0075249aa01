// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "report/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

Bars *bars_create(const BarsSpec *spec) {
    Bars *bars = mem_alloc_zero(1, sizeof *bars);
    bars->title = mem_copy_string(spec->title == NULL ? "" : spec->title);
    bars->value_label = mem_copy_string(spec->value_label == NULL ? "" : spec->value_label);
    bars->decimals = spec->decimals;
    return bars;
}

void bars_destroy(Bars *bars) {
    if (bars == NULL)
        return;
    for (size_t i = 0; i < bars->series_count; i++)
        free(bars->series[i]);
    for (size_t i = 0; i < bars->group_count; i++)
        free(bars->labels[i]);
    free(bars->series);
    free(bars->labels);
    free(bars->items);
    free(bars->title);
    free(bars->value_label);
    free(bars);
}

size_t bars_add_series(Bars *bars, const char *name) {
    assert(bars->group_count == 0);
    bars->series = mem_grow(bars->series, &bars->series_capacity, bars->series_count + 1,
                            sizeof *bars->series);
    bars->series[bars->series_count] = mem_copy_string(name);
    return bars->series_count++;
}

void bars_add_ranges(Bars *bars, const char *label, const double *values, const double *lows,
                     const double *highs) {
    size_t used = bars->group_count * bars->series_count;
    bars->labels =
        mem_grow(bars->labels, &bars->group_capacity, bars->group_count + 1, sizeof *bars->labels);
    bars->items =
        mem_grow(bars->items, &bars->item_capacity, used + bars->series_count, sizeof *bars->items);
    bars->labels[bars->group_count++] = mem_copy_string(label);
    for (size_t i = 0; i < bars->series_count; i++) {
        Bar *bar = &bars->items[used + i];
        *bar = (Bar){values[i], lows == NULL ? NAN : lows[i], highs == NULL ? NAN : highs[i]};
        bars->has_ranges |= bars_can_show_range(bar);
    }
}

void bars_add_group(Bars *bars, const char *label, const double *values) {
    bars_add_ranges(bars, label, values, NULL, NULL);
}

bool bars_can_show_range(const Bar *bar) {
    return axis_can_show(bar->value, false) && axis_can_show(bar->low, false) &&
           axis_can_show(bar->high, false);
}

Axis bars_axis(const Bars *bars, size_t most) {
    Extent extent = AXIS_NOTHING;
    for (size_t i = 0; i < bars->group_count * bars->series_count; i++) {
        const Bar *bar = &bars->items[i];
        axis_include(&extent, bar->value, false);
        if (!bars_can_show_range(bar))
            continue;
        axis_include(&extent, bar->low, false);
        axis_include(&extent, bar->high, false);
    }
    // With nothing else on it, zero alone would be widened to both sides.
    if (extent.low <= extent.high && (extent.low != 0 || extent.high != 0))
        axis_include(&extent, 0, false);
    else
        extent = (Extent){0, 1};
    Axis axis = axis_create(extent, false, most);
    axis_tighten(&axis, extent);
    return axis;
}

static bool has_ranges(const Bars *bars, size_t series) {
    for (size_t g = 0; g < bars->group_count; g++)
        if (bars_can_show_range(&bars->items[g * bars->series_count + series]))
            return true;
    return false;
}

static void add_columns(const Bars *bars, size_t series, Table *table) {
    CLEANUP(str_free) Str name = {0};
    table_add_number_column(table, bars->series[series], bars->decimals);
    if (!has_ranges(bars, series))
        return;
    str_addf(&name, "%s, low", bars->series[series]);
    table_add_number_column(table, str_text(&name), bars->decimals);
    str_setf(&name, "%s, high", bars->series[series]);
    table_add_number_column(table, str_text(&name), bars->decimals);
}

Table *bars_to_table(const Bars *bars) {
    Table *table = table_create(bars->title);
    table_add_text_column(table, "");
    for (size_t i = 0; i < bars->series_count; i++)
        add_columns(bars, i, table);
    for (size_t g = 0; g < bars->group_count; g++) {
        table_add_text(table, bars->labels[g]);
        for (size_t i = 0; i < bars->series_count; i++) {
            const Bar *bar = &bars->items[g * bars->series_count + i];
            table_add_number(table, bar->value);
            if (has_ranges(bars, i))
                TABLE_ADD_NUMBERS(table, bar->low, bar->high);
        }
    }
    return table;
}
