// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetric positive matrices, of which the lower triangle is kept, row by row.
#pragma once

#include <stddef.h>

// Replaces a matrix by its Cholesky factor.
void cholesky_factorize(double *matrix, size_t n);
// Solve factor * x = x and factor' * x = x.
void cholesky_solve_lower(const double *factor, size_t n, double *x);
void cholesky_solve_upper(const double *factor, size_t n, double *x);
