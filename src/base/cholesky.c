// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cholesky.h"

#include <math.h>

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void cholesky_factorize(double *matrix, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * n + j] - dot(matrix + i * n, matrix + j * n, j);
            matrix[i * n + j] = i == j ? sqrt(sum) : sum / matrix[j * n + j];
        }
}

void cholesky_solve_lower(const double *factor, size_t n, double *x) {
    for (size_t i = 0; i < n; i++)
        x[i] = (x[i] - dot(factor + i * n, x, i)) / factor[i * n + i];
}

void cholesky_solve_upper(const double *factor, size_t n, double *x) {
    for (size_t i = n; i-- > 0;) {
        x[i] /= factor[i * n + i];
        for (size_t j = 0; j < i; j++)
            x[j] -= factor[i * n + j] * x[i];
    }
}
