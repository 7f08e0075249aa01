// SPDX-License-Identifier: GPL-3.0-or-later
// Whether chance alone explains a difference: sums over groups of correlated moves, such as
// those of one game.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How likely a value at least as far from 0 is of a normal distribution with deviation 1; and of
// Student's.
double chance_of_normal(double value);
double chance_of_student(double value, unsigned degrees);
// The degrees of freedom of a difference whose parts have these deviations, each known from so many
// draws: where one part hardly varies, only the draws of the other count (Welch).
unsigned chance_degrees(double one, double other, unsigned draws);
// Which of several findings stand when all are asked at once: with the probability `level` not one
// of them is due to chance (Holm's way).
void chance_holm(const double *chances, size_t count, double level, bool *stands);

// A share of many things, counted in groups: its deviation allows for groups that differ.
typedef struct GroupedMean {
    double mean, deviation;
} GroupedMean;

// sums[i] over sizes[i] things of each group. NaN where there is nothing.
GroupedMean grouped_mean(const double *sums, const double *sizes, size_t groups);
// How likely two means at least as far apart are where chance alone makes them differ, each of its
// own groups, so many of both together; 1 where neither varies or one is of nothing.
double chance_of_means(const GroupedMean *one, const GroupedMean *other, size_t groups);
