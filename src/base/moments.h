// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and deviation of numbers that come one by one (Welford's way, which loses no digits).
#pragma once

#include <math.h>
#include <stdint.h>

// {0} has seen nothing.
typedef struct Moments {
    uint64_t count;
    double mean, squares; // squares: the sum of squared distances from the mean
} Moments;

static inline void moments_add(Moments *moments, double value) {
    moments->count++;
    const double before = value - moments->mean;
    moments->mean += before / (double)moments->count;
    moments->squares += before * (value - moments->mean);
}

// Of a sample: the sum divided by one less than the count; 0 for fewer than two numbers.
static inline double moments_deviation(const Moments *moments) {
    return moments->count < 2 ? 0 : sqrt(moments->squares / (double)(moments->count - 1));
}

// Half the width of a 95% confidence interval of the mean.
static inline double moments_half_width(const Moments *moments) {
    return moments->count < 2
               ? 0
               : 1.959964 * moments_deviation(moments) / sqrt((double)moments->count);
}
