// SPDX-License-Identifier: GPL-3.0-or-later
// Whether chance alone explains a difference: sums over groups of correlated moves, such as
// those of one game.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHANCE_FLIPS = 9999 };

// How likely a sum at least as far from 0 is where each difference could as well have the other
// sign (a permutation test with CHANCE_FLIPS draws); 1 where all are 0.
double chance_of_signs(const double *differences, size_t count, uint64_t seed);
// How likely a value at least as far from 0 is of a normal distribution with deviation 1; and of
// Student's with an even number of degrees of freedom.
double chance_of_normal(double value);
double chance_of_student(double value, unsigned even_degrees);
// Which of several findings stand when all are asked at once: with the probability `level` not one
// of them is due to chance (Holm's way).
void chance_holm(const double *chances, size_t count, double level, bool *stands);

// A share of many things, counted in groups: its deviation allows for groups that differ.
typedef struct GroupedMean {
    double mean, deviation;
} GroupedMean;

// sums[i] over sizes[i] things of each group. NaN where there is nothing.
GroupedMean grouped_mean(const double *sums, const double *sizes, size_t groups);
