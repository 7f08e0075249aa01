// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/quadratic.h"

#include "base/cholesky.h"
#include "evolve/algorithm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 200 };

static const double share_per_elo = 0.0014391156831212785; // at equal strength: ln 10 / 1600
static const double game_variance = 0.25;                  // of a share of the points
// Before any game, in Elo: that a step either way from the best costs so much; and deviations. That
// of couplings is small, because there are many, and together their errors would bend the quadratic
// upwards in some direction.
static const double prior_fall = 3, fall_deviation = 1.5, slope_deviation = 5,
                    coupling_deviation = 0.7;
static const double least_fall = 1.5; // games that seem to say otherwise are taken for luck

Status quadratic_open(Quadratic *quadratic, size_t size) {
    const bool is_coupled = size <= QUADRATIC_COUPLED_MAX;
    const size_t terms = 2 * size + (is_coupled ? size * (size - 1) / 2 : 0);
    *quadratic = (Quadratic){.size = size, .terms = terms, .is_coupled = is_coupled};
    quadratic->information = population_alloc(terms * terms, sizeof(double));
    quadratic->factor = population_alloc(terms * terms, sizeof(double));
    quadratic->moment = population_alloc(terms, sizeof(double));
    quadratic->theta = population_alloc(terms, sizeof(double));
    quadratic->row = population_alloc(terms, sizeof(double));
    quadratic->coupling = population_alloc(size * size, sizeof(double));
    if (quadratic->information == NULL || quadratic->factor == NULL || quadratic->moment == NULL ||
        quadratic->theta == NULL || quadratic->row == NULL || quadratic->coupling == NULL)
        return ERR_LIMIT;
    quadratic_fit(quadratic);
    return OK;
}

void quadratic_close(Quadratic *quadratic) {
    free(quadratic->information);
    free(quadratic->factor);
    free(quadratic->moment);
    free(quadratic->theta);
    free(quadratic->row);
    free(quadratic->coupling);
    *quadratic = (Quadratic){0};
}

// The terms of one place less those of another.
static void take_difference(const Quadratic *quadratic, const double *place, const double *less,
                            double *out) {
    const size_t size = quadratic->size;
    for (size_t i = 0; i < size; i++) {
        *out++ = place[i] - less[i];
        *out++ = place[i] * place[i] - less[i] * less[i];
    }
    for (size_t i = 0; quadratic->is_coupled && i < size; i++)
        for (size_t j = 0; j < i; j++)
            *out++ = place[i] * place[j] - less[i] * less[j];
}

void quadratic_add(Quadratic *quadratic, const double *first, const double *second, double share,
                   unsigned games) {
    const size_t n = quadratic->terms;
    const double certainty = games * pow(share_per_elo, 2) / game_variance;
    const double elo = (share - 0.5) / share_per_elo;
    double *row = quadratic->row;
    take_difference(quadratic, first, second, row);
    for (size_t i = 0; i < n; i++) {
        const double part = certainty * row[i];
        double *sums = quadratic->information + i * n;
        quadratic->moment[i] += part * elo;
        for (size_t j = 0; j <= i; j++)
            sums[j] += part * row[j];
    }
}

void quadratic_fit(Quadratic *quadratic) {
    const size_t n = quadratic->terms, size = quadratic->size;
    double *theta = quadratic->theta, *factor = quadratic->factor;
    memcpy(factor, quadratic->information, n * n * sizeof *factor);
    memcpy(theta, quadratic->moment, n * sizeof *theta);
    for (size_t i = 0; i < n; i++) {
        const bool is_own = i < 2 * size, is_curvature = is_own && i % 2 == 1;
        const double deviation = is_curvature ? fall_deviation
                                 : is_own     ? slope_deviation
                                              : coupling_deviation;
        factor[i * n + i] += 1 / (deviation * deviation);
        theta[i] += is_curvature ? -prior_fall / (deviation * deviation) : 0;
    }
    cholesky_factorize(factor, n);
    cholesky_solve_lower(factor, n, theta);
    cholesky_solve_upper(factor, n, theta);
    const double *coupling = theta + 2 * size;
    for (size_t i = 0; quadratic->is_coupled && i < size; i++)
        for (size_t j = 0; j < i; j++, coupling++)
            quadratic->coupling[i * size + j] = quadratic->coupling[j * size + i] = *coupling;
}

// The slope along one number without its own curvature.
static double slope_of(const Quadratic *quadratic, const double *place, size_t at) {
    const double *coupling = quadratic->coupling + at * quadratic->size;
    double slope = quadratic->theta[2 * at];
    for (size_t i = 0; i < quadratic->size; i++)
        slope += coupling[i] * place[i];
    return slope;
}

double quadratic_value(const Quadratic *quadratic, const double *place) {
    double sum = 0;
    for (size_t i = 0; i < quadratic->size; i++)
        sum += place[i] * (quadratic->theta[2 * i] + slope_of(quadratic, place, i)) / 2 +
               quadratic->theta[2 * i + 1] * place[i] * place[i];
    return sum;
}

void quadratic_climb(const Quadratic *quadratic, const double *low, const double *high,
                     double *place) {
    double moved = 1;
    for (int sweep = 0; sweep < SWEEPS && moved > 1e-6; sweep++) {
        moved = 0;
        for (size_t i = 0; i < quadratic->size; i++) {
            const double before = place[i], fall = fmax(-quadratic->theta[2 * i + 1], least_fall);
            const double best = slope_of(quadratic, place, i) / (2 * fall);
            place[i] = fmin(high[i], fmax(low[i], best));
            moved = fmax(moved, fabs(place[i] - before));
        }
    }
}

void quadratic_save(const Quadratic *quadratic, Str *out) {
    const size_t n = quadratic->terms;
    bytes_add_doubles(out, quadratic->moment, n);
    for (size_t i = 0; i < n; i++)
        bytes_add_doubles(out, quadratic->information + i * n, i + 1);
}

void quadratic_load(Quadratic *quadratic, ByteReader *in) {
    const size_t n = quadratic->terms;
    bytes_doubles(in, quadratic->moment, n);
    for (size_t i = 0; i < n; i++) {
        bytes_doubles(in, quadratic->information + i * n, i + 1);
        in->failed = in->failed || !isfinite(quadratic->moment[i]) ||
                     !(quadratic->information[i * n + i] >= 0);
    }
    if (!in->failed)
        quadratic_fit(quadratic);
}
