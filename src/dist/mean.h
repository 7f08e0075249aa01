// SPDX-License-Identifier: GPL-3.0-or-later
// Means of times that follow what is measured.
#pragma once

// How much the last measurement counts. A machine that does other things too makes times longer,
// never shorter.
static const double mean_newest_less = 0.5, mean_newest_more = 0.1;

// 0: nothing was measured so far.
static inline void mean_blend(double *mean, double value) {
    const double newest = *mean == 0 ? 1 : value < *mean ? mean_newest_less : mean_newest_more;
    *mean += newest * (value - *mean);
}
