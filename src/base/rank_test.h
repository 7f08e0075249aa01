// SPDX-License-Identifier: GPL-3.0-or-later
// Two samples compared by ranks: the test of Mann and Whitney (Wilcoxon's rank sum), the effect
// sizes of Vargha and Delaney and of Cliff, quartiles, and Holm's correction for several tests.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct RankTest {
    double u;        // pairs in which the first sample's value is larger; equal ones count a half
    double p;        // two-sided; 1 where a sample is empty or all values are equal
    double superior; // u over all pairs (Vargha and Delaney's A): 0.5 is no difference
    double delta;    // Cliff's: 2 * superior - 1
    bool is_exact;   // by all orders; else by the normal approximation, with ties and continuity
} RankTest;

// No value is NaN. Exact where both samples have at most 50 values and no two are equal.
RankTest rank_test(const double *first, size_t first_count, const double *second,
                   size_t second_count);
// The least two-sided p that samples of these sizes can have: that of the most extreme order.
double rank_test_least_p(size_t first_count, size_t second_count);
// The value below which a share of the sample is, between values in proportion (type 7 of Hyndman
// and Fan, as in R and NumPy); sorts the values. NaN for an empty sample.
double rank_quantile(double *values, size_t count, double share);
// Adjusts p values of several tests so that any of them below a limit is wrong with that chance
// over all (Holm 1979).
void rank_adjust_holm(double *p, size_t count);
