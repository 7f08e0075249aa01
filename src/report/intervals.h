// SPDX-License-Identifier: GPL-3.0-or-later
// Figures with their intervals, one below the other around a line of zero; beside each, where there
// is one, a figure to compare it with.
#pragma once

#include "report/table.h"

typedef struct Intervals Intervals;

// The texts are copied.
typedef struct IntervalsSpec {
    const char *title, *value_label;
    const char *mark_label; // what figures are compared with ("the paper"); NULL: nothing
    int decimals;
} IntervalsSpec;

typedef struct Interval {
    double value, low, high; // low and high may be infinite: the interval ends nowhere
    double mark;             // NaN where there is none
    bool is_faint;           // drawn so that it steps back behind others
} Interval;

void intervals_add(Intervals *intervals, const char *label, const Interval *interval);
Table *intervals_to_table(const Intervals *intervals);
