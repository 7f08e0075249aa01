// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/axis.h"

#include "report/number.h"

#include <math.h>

// Beyond this, differences and steps could overflow.
static const double largest = 1e290, smallest = 1e-290;
// Ranges narrower than this share of their numbers would need more digits than there are.
static const double narrowest = 1e-11;
// Ticks this large or with this many decimals are shown with exponents.
static const double exponent_from = 1e9;
enum { TICK_DECIMALS_MAX = 6, OWN_DECIMALS = -1 };

bool axis_can_show(double value, bool is_log) {
    return isfinite(value) && fabs(value) <= largest && (!is_log || value >= smallest);
}

void axis_include(Extent *extent, double value, bool is_log) {
    if (!axis_can_show(value, is_log))
        return;
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
}

static Extent widen(Extent extent, bool is_log) {
    if (extent.low > extent.high)
        return is_log ? (Extent){1, 100} : (Extent){0, 1};
    double size = fmax(fabs(extent.low), fabs(extent.high));
    if (extent.high - extent.low > fmax(narrowest * size, smallest))
        return extent;
    if (size <= smallest)
        return (Extent){-1, 1};
    return (Extent){extent.low - size / 10, extent.high + size / 10};
}

// The k-th number of 1, 2, 5, 10, 20, 50, 100 ...; k may be negative.
static double round_number(int k) {
    static const double mantissa[3] = {1, 2, 5};
    int decade = k >= 0 ? k / 3 : -((2 - k) / 3), rest = k - 3 * decade;
    return decade >= 0 ? mantissa[rest] * pow(10, decade) : mantissa[rest] / pow(10, -decade);
}

// The largest k whose round number is not above the value; a hair of rounding is forgiven.
static int round_below(double value) {
    int k = 3 * (int)floor(log10(value)) + 4;
    while (round_number(k) > value * (1 + 1e-12))
        k--;
    return k;
}

static int round_above(double value) {
    int k = round_below(value);
    return round_number(k) < value * (1 - 1e-12) ? k + 1 : k;
}

static int decimals_of(double step) {
    double decade = floor(log10(step * (1 + 1e-12)));
    return decade >= 0 ? 0 : (int)-decade;
}

static Axis linear_axis(Extent extent, size_t most) {
    double range = extent.high - extent.low;
    for (int k = round_below(range / (double)most);; k++) {
        double step = round_number(k);
        double first = floor(extent.low / step), last = ceil(extent.high / step);
        // A hair above a tick would cost an empty interval.
        if (extent.low - (first + 1) * step > -1e-9 * step)
            first++;
        if ((last - 1) * step - extent.high > -1e-9 * step)
            last--;
        if (last - first + 1 > (double)most)
            continue;
        Axis axis = {.decimals = decimals_of(step)};
        // Dividing by the inverse of a small step is exact where multiplying by the step is not.
        double inverse = step < 1 ? round(1 / step) : 0;
        for (double i = first; i <= last; i++)
            axis.ticks[axis.count++] = step < 1 && step > 1e-15 ? i / inverse : i * step;
        // Their ends are ends of the axis, and must not cut the data by that hair.
        axis.ticks[0] = fmin(axis.ticks[0], extent.low);
        axis.ticks[axis.count - 1] = fmax(axis.ticks[axis.count - 1], extent.high);
        return axis;
    }
}

static Axis log_axis(Extent extent, size_t most) {
    int first = round_below(extent.low), last = round_above(extent.high);
    if (last - first + 1 < AXIS_TICKS_MIN) {
        Axis axis = linear_axis(extent, AXIS_TICKS_MAX - 2);
        axis.is_log = true;
        return axis;
    }
    int step = 1;
    if ((size_t)(last - first + 1) > most) {
        // Whole decades, and if need be only every second, third ... of them.
        first = 3 * (int)floor(first / 3.0);
        last = 3 * (int)ceil(last / 3.0);
        for (step = 3; (last - first + step - 1) / step + 1 > (int)most;)
            step += 3;
        last = first + (last - first + step - 1) / step * step;
    }
    if (last == first + step)
        last += step;
    Axis axis = {.is_log = true, .decimals = OWN_DECIMALS};
    for (int k = first; k <= last; k += step)
        axis.ticks[axis.count++] = round_number(k);
    return axis;
}

Axis axis_create(Extent extent, bool is_log, size_t most) {
    Extent wide = widen(extent, is_log);
    Axis axis = is_log ? log_axis(wide, most) : linear_axis(wide, most);
    axis.low = axis.ticks[0];
    axis.high = axis.ticks[axis.count - 1];
    return axis;
}

void axis_tighten(Axis *axis, Extent extent) {
    Extent wide = widen(extent, axis->is_log);
    if (wide.low != extent.low || wide.high != extent.high)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < axis->count; i++)
        if (axis->ticks[i] >= extent.low && axis->ticks[i] <= extent.high)
            axis->ticks[kept++] = axis->ticks[i];
    axis->count = kept;
    axis->low = extent.low;
    axis->high = extent.high;
}

void axis_keep_whole_ticks(Axis *axis) {
    size_t kept = 0;
    for (size_t i = 0; i < axis->count; i++)
        if (axis->ticks[i] == floor(axis->ticks[i]))
            axis->ticks[kept++] = axis->ticks[i];
    axis->count = kept;
    if (!axis->is_log)
        axis->decimals = 0;
}

double axis_place(const Axis *axis, double value) {
    double low = axis->low, high = axis->high;
    if (axis->is_log)
        return (log(value) - log(low)) / (log(high) - log(low));
    return (value - low) / (high - low);
}

void axis_add_tick(Str *out, const Axis *axis, size_t tick) {
    double value = axis->ticks[tick], size = fmax(fabs(axis->low), fabs(axis->high));
    int decimals = axis->decimals == OWN_DECIMALS ? decimals_of(value) : axis->decimals;
    if (size >= exponent_from || (decimals > TICK_DECIMALS_MAX && size < 1))
        str_addf(out, "%.6g", value);
    else
        number_add(out, value, decimals);
}
