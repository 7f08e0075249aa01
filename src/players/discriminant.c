// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/discriminant.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// How many times each feature's own variance is added to it, so that few samples are not believed
// to the letter: hardly more is left than what each feature says by itself. Of 0.1, 0.5, 1, 2 and
// 10, the one that calibrates ten players best.
static const double SHRINKAGE = 10;

struct Discriminant {
    size_t classes, features;
    double *sums;    // of features, by class
    double *units;   // by class
    double *scatter; // of samples about the means of their classes, per unit
    double samples;
};

Discriminant *discriminant_create(size_t classes, size_t features) {
    Discriminant *discriminant = mem_alloc_zero(1, sizeof *discriminant);
    discriminant->classes = classes;
    discriminant->features = features;
    discriminant->sums = mem_alloc_zero(classes * features, sizeof(double));
    discriminant->units = mem_alloc_zero(classes, sizeof(double));
    discriminant->scatter = mem_alloc_zero(features * features, sizeof(double));
    return discriminant;
}

void discriminant_destroy(Discriminant *discriminant) {
    if (discriminant == NULL)
        return;
    free(discriminant->sums);
    free(discriminant->units);
    free(discriminant->scatter);
    free(discriminant);
}

static double mean_of(const Discriminant *discriminant, size_t class, size_t feature) {
    const double units = discriminant->units[class];
    return units > 0 ? discriminant->sums[class * discriminant->features + feature] / units : 0;
}

void discriminant_add(Discriminant *discriminant, int pass, size_t class, const double *sums,
                      double units) {
    const size_t count = discriminant->features;
    if (pass == 0) {
        for (size_t i = 0; i < count; i++)
            discriminant->sums[class * count + i] += sums[i];
        discriminant->units[class] += units;
        return;
    }
    CLEANUP(mem_free_at) double *apart = mem_alloc(count * sizeof *apart);
    for (size_t i = 0; i < count; i++)
        apart[i] = sums[i] / units - mean_of(discriminant, class, i);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            discriminant->scatter[i * count + k] += units * apart[i] * apart[k];
    discriminant->samples += 1;
}

// Solves matrix . x = right in place, by Gauss with the largest pivot; the matrix is spoiled.
static bool solve(double *matrix, double *right, size_t count) {
    for (size_t column = 0; column < count; column++) {
        size_t pivot = column;
        for (size_t row = column + 1; row < count; row++)
            if (fabs(matrix[row * count + column]) > fabs(matrix[pivot * count + column]))
                pivot = row;
        if (!(fabs(matrix[pivot * count + column]) > 0))
            return false;
        for (size_t k = 0; k < count && pivot != column; k++) {
            const double swapped = matrix[column * count + k];
            matrix[column * count + k] = matrix[pivot * count + k];
            matrix[pivot * count + k] = swapped;
        }
        const double swapped = right[column];
        right[column] = right[pivot];
        right[pivot] = swapped;
        for (size_t row = 0; row < count; row++) {
            const double factor =
                row == column ? 0 : matrix[row * count + column] / matrix[column * count + column];
            for (size_t k = column; k < count; k++)
                matrix[row * count + k] -= factor * matrix[column * count + k];
            right[row] -= factor * right[column];
        }
    }
    for (size_t i = 0; i < count; i++)
        right[i] /= matrix[i * count + i];
    return true;
}

Status discriminant_solve(const Discriminant *discriminant, size_t class, double *weights,
                          double *bias) {
    const size_t count = discriminant->features;
    const double freedom = fmax(1, discriminant->samples - (double)discriminant->classes);
    CLEANUP(mem_free_at) double *matrix = mem_alloc(count * count * sizeof *matrix);
    for (size_t i = 0; i < count * count; i++)
        matrix[i] = discriminant->scatter[i] / freedom;
    for (size_t i = 0; i < count; i++) {
        double *own = &matrix[i * count + i];
        *own =
            *own > 0 ? *own * (1 + SHRINKAGE) : 1; // a feature that never differs decides nothing
        weights[i] = mean_of(discriminant, class, i);
    }
    const bool is_solved = solve(matrix, weights, count);
    *bias = 0;
    for (size_t i = 0; i < count; i++)
        *bias -= weights[i] * mean_of(discriminant, class, i) / 2;
    return is_solved ? OK : error_set(ERR_ARG, "features that cannot be told apart");
}
