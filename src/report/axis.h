// SPDX-License-Identifier: GPL-3.0-or-later
// The range of an axis and its ticks: round numbers, three to ten, that cover the data.
#pragma once

#include "base/str.h"

#include <math.h>

enum { AXIS_TICKS_MIN = 3, AXIS_TICKS_MAX = 10 };

typedef struct Axis {
    bool is_log;
    size_t count;                 // of ticks
    double ticks[AXIS_TICKS_MAX]; // rising
    double low, high;             // the ends of the axis: the first and last tick, unless tightened
    int decimals;                 // that the ticks need; -1: each its own (0.1, 1, 10)
} Axis;

// The extent of data; starts as AXIS_NOTHING.
typedef struct Extent {
    double low, high;
} Extent;

#define AXIS_NOTHING ((Extent){HUGE_VAL, -HUGE_VAL})

// Whether the value can be drawn at all: finite, not absurdly large, positive on a log axis.
bool axis_can_show(double value, bool is_log);
// Makes room for a value, unless it cannot be shown.
void axis_include(Extent *extent, double value, bool is_log);
// With at most `most` ticks (5 to AXIS_TICKS_MAX). An extent that is empty or one point is widened.
Axis axis_create(Extent extent, bool is_log, size_t most);
// Lets the axis end where the data do, without the ticks beyond; nothing changes for one point.
void axis_tighten(Axis *axis, Extent extent);
// Leaves out ticks between whole numbers, for data that are whole.
void axis_keep_whole_ticks(Axis *axis);
// Where a value lies: 0 at the low end, 1 at the high one.
double axis_place(const Axis *axis, double value);
void axis_add_tick(Str *out, const Axis *axis, size_t tick);
