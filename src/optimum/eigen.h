// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and eigenvectors of a small symmetric matrix.
#pragma once

#include <stddef.h>

// Cyclic Jacobi rotations: slow (some hundred million operations for n = 200) but exact to rounding
// even where the matrix is singular. `matrix` is n by n and is overwritten; column k of `vectors`
// (n by n, by rows) belongs to values[k]; in no order.
void eigen_symmetric(size_t n, double *matrix, double *values, double *vectors);
