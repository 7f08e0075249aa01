// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher's linear discriminant: classes that differ in the means of their features and share how
// these scatter. Samples are sums of features over so many units, which may differ; scatter shrinks
// with their number.
#pragma once

#include "base/error.h"

#include <stddef.h>

typedef struct Discriminant Discriminant;

Discriminant *discriminant_create(size_t classes, size_t features);
void discriminant_destroy(Discriminant *discriminant);
CLEANUP_AT(Discriminant *, discriminant_destroy)
// Adds a sample. All samples are added twice: in pass 0 for the means, in pass 1 for the scatter.
void discriminant_add(Discriminant *discriminant, int pass, size_t class, const double *sums,
                      double units);
// The score of a class is weights . sums + bias * units: the logarithm of its likelihood, up to
// what all classes have in common. ERR_ARG where nothing scatters.
MUST_CHECK Status discriminant_solve(const Discriminant *discriminant, size_t class,
                                     double *weights, double *bias);
