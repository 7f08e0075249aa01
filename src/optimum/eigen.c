// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/eigen.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

// Six to ten are usual; the limit is for matrices that hold NaN.
enum { SWEEPS_MAX = 60 };

// Rotates the plane of axes p and q, on the rows or columns whose elements are `step` apart.
static void rotate(double *first, double *second, size_t n, size_t step, double c, double s) {
    for (size_t k = 0; k < n; k++) {
        double a = first[k * step], b = second[k * step];
        first[k * step] = c * a - s * b;
        second[k * step] = s * a + c * b;
    }
}

// Makes element (p, q) zero. The smaller of the two angles keeps other elements small.
static void annihilate(size_t n, double *matrix, double *vectors, size_t p, size_t q) {
    double theta = (matrix[q * n + q] - matrix[p * n + p]) / (2 * matrix[p * n + q]);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
    double c = 1 / hypot(t, 1), s = t * c;
    rotate(matrix + p, matrix + q, n, n, c, s);
    rotate(matrix + p * n, matrix + q * n, n, 1, c, s);
    rotate(vectors + p, vectors + q, n, n, c, s);
    matrix[p * n + q] = matrix[q * n + p] = 0;
}

static double sum_of_squares(size_t n, const double *matrix) {
    double sum = 0;
    for (size_t i = 0; i < n * n; i++)
        sum += matrix[i] * matrix[i];
    return sum;
}

void eigen_symmetric(size_t n, double *matrix, double *values, double *vectors) {
    for (size_t i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0;
    double negligible = DBL_EPSILON * sqrt(sum_of_squares(n, matrix)) / (double)(n + 1);
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < SWEEPS_MAX; sweep++) {
        rotated = false;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                if (fabs(matrix[p * n + q]) > negligible) {
                    annihilate(n, matrix, vectors, p, q);
                    rotated = true;
                }
    }
    for (size_t k = 0; k < n; k++)
        values[k] = matrix[k * n + k];
}
