// SPDX-License-Identifier: GPL-3.0-or-later
// What the data know of each weight: the information matrix of the loss around the fit.
#include "base/cholesky.h"
#include "base/mem.h"
#include "fit/fit_pull.h"
#include "fit/information.h"

#include <math.h>
#include <string.h>

// Enough for what is told of a weight, and none but the rarest terms has too few of them.
enum { POSITIONS_MOST = 200000 };

// The diagonal of the inverse, from the factor.
static double variance_of(const double *factor, size_t n, size_t row, double *scratch) {
    double sum = 0;
    memset(scratch, 0, n * sizeof *scratch);
    scratch[row] = 1;
    cholesky_solve_lower(factor, n, scratch);
    for (size_t i = row; i < n; i++)
        sum += scratch[i] * scratch[i];
    return sum;
}

// Positions of a game are one piece of evidence: sums over positions are scaled down to games. A
// pull adds what a prior of the same strength knows.
static void invert(Information *info, const FitConfig *config, size_t games, FitCertainty *out) {
    const size_t n = info->free_count;
    const double scale = (double)games / (double)info->positions;
    const double prior = information_of_pull(info, config, games);
    CLEANUP(mem_free_at) double *scratch = mem_alloc((n + 1) * sizeof *scratch);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            info->matrix[i * n + j] *= scale;
        info->matrix[i * n + i] += fmax(prior, 1e-12);
    }
    cholesky_factorize(info->matrix, n);
    for (size_t i = 0; i < info->terms; i++) {
        out[i] = (FitCertainty){0, 1};
        if (info->free_of[i] == SIZE_MAX)
            continue;
        const double variance = variance_of(info->matrix, n, info->free_of[i], scratch);
        out[i].deviation = variance < 1e11 ? sqrt(variance) : (double)INFINITY;
        out[i].share = prior > 0 ? fmax(0, 1 - variance * prior) : variance < 1e11;
    }
}

Status fit_certainty(const FitConfig *config, const LinearSet *set, size_t games,
                     const double *coefficients, DistPool *pool, FitCertainty *out) {
    CLEANUP(information_free) Information info = {0};
    TRY(information_find(&info, config, set, POSITIONS_MOST, coefficients, pool));
    invert(&info, config, games, out);
    return OK;
}
