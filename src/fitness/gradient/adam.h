// SPDX-License-Identifier: GPL-3.0-or-later
// Steps down a slope inside a box (Adam, Kingma and Ba 2015): each coefficient has its own pace,
// and a step is a share of the coefficient's box.
#pragma once

#include <stddef.h>

typedef struct Adam {
    size_t terms;
    const double *low, *high; // the box, one of each per coefficient; equal where one is fixed
    double *slopes, *squares; // remembered
    unsigned steps;           // taken
} Adam;

void adam_init(Adam *adam, size_t terms, const double *low, const double *high);
void adam_free(Adam *adam);
// The share of its box that a coefficient moves in step `number` of `steps`, from 1: the first
// rate, which shrinks to nothing in the second half.
double adam_rate(double first, unsigned number, unsigned steps);
void adam_step(Adam *adam, const double *gradient, double rate, double *coefficients);
