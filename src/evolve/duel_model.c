// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/duel_model.h"

#include "base/cholesky.h"
#include "base/mem.h"
#include "evolve/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    FITS = 3, // of the quadratic, each with the weights that follow from the one before
    NEWTON_STEPS = 8,
    SWEEPS = 200,
    PAIR_GAMES = 2,
    GUESSES = 32,         // quadratics that the games leave possible
    USE_GUESS = 0x64756c, // keeps this stream of numbers apart from all others
};

static const double elo_per_unit = 173.71779276130073; // 400 / ln 10
// Before any game: how large a coefficient may be, and that a number is best somewhere inside.
static const double prior_elo = 200, prior_fall_elo = 50;
static const double reach_elo = 150; // a candidate so far behind the best counts 1/e
static const double spread_max = 2;  // standard deviations from the mean of the games

typedef struct Duel {
    int points;
    double weight;
} Duel;

struct DuelModel {
    size_t size, terms; // numbers; coefficients
    Duel *duels;        // owned
    double *points;     // owned: of each duel both candidates
    size_t count, capacity, point_capacity;
    double *theta;                              // coefficients, in units of the logistic function
    double *factor;                             // of the information matrix: lower triangle
    double *best, *low, *high, *place, *spread; // `best` owns them all
    double dispersion;                          // of results, over that of games without draws
    double *gradient, *row, *scratch, *fitted;
};

DuelModel *duel_model_new(size_t size) {
    DuelModel *model = mem_alloc_zero(1, sizeof *model);
    model->size = size;
    model->terms = 2 * size + (size <= DUEL_COUPLED_MAX ? size * (size - 1) / 2 : 0);
    model->theta = mem_alloc_zero(model->terms, sizeof *model->theta);
    model->factor = mem_alloc_zero(model->terms * model->terms, sizeof *model->factor);
    model->gradient = mem_alloc_zero(model->terms, sizeof *model->gradient);
    model->row = mem_alloc_zero(model->terms, sizeof *model->row);
    model->scratch = mem_alloc_zero(model->terms, sizeof *model->scratch);
    model->fitted = mem_alloc_zero(model->terms, sizeof *model->fitted);
    model->best = mem_alloc_zero(5 * size, sizeof *model->best);
    model->low = model->best + size;
    model->high = model->low + size;
    model->place = model->high + size;
    model->spread = model->place + size;
    duel_model_fit(model);
    return model;
}

void duel_model_free(DuelModel *model) {
    if (model == NULL)
        return;
    free(model->duels);
    free(model->points);
    free(model->theta);
    free(model->factor);
    free(model->gradient);
    free(model->row);
    free(model->scratch);
    free(model->fitted);
    free(model->best);
    free(model);
}

size_t duel_model_count(const DuelModel *model) {
    return model->count;
}

void duel_model_add(DuelModel *model, const double *first, const double *second, int points) {
    const size_t bytes = model->size * sizeof *first;
    model->duels = mem_grow(model->duels, &model->capacity, model->count + 1, sizeof *model->duels);
    model->points = mem_grow(model->points, &model->point_capacity,
                             2 * model->size * (model->count + 1), sizeof *model->points);
    double *at = model->points + 2 * model->size * model->count;
    memcpy(at, first, bytes);
    memcpy(at + model->size, second, bytes);
    model->duels[model->count++] = (Duel){points, 1};
}

// The terms of `to` less those of `from`.
static void take_difference(const DuelModel *model, const double *from, const double *to,
                            double *out) {
    const size_t size = model->size;
    for (size_t i = 0; i < size; i++) {
        *out++ = to[i] - from[i];
        *out++ = to[i] * to[i] - from[i] * from[i];
    }
    if (size > DUEL_COUPLED_MAX)
        return;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++)
            *out++ = to[i] * to[j] - from[i] * from[j];
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double value_of(const DuelModel *model, const double *point) {
    const size_t size = model->size;
    const double *theta = model->theta, *coupling = theta + 2 * size;
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += theta[2 * i] * point[i] + theta[2 * i + 1] * point[i] * point[i];
    for (size_t i = 0; i < size && size <= DUEL_COUPLED_MAX; i++)
        for (size_t j = 0; j < i; j++)
            sum += *coupling++ * point[i] * point[j];
    return sum;
}

double duel_model_value(const DuelModel *model, const double *point) {
    return elo_per_unit * value_of(model, point);
}

double duel_model_deviation(const DuelModel *model, const double *from, const double *to) {
    take_difference(model, from, to, model->scratch);
    cholesky_solve_lower(model->factor, model->terms, model->scratch);
    double variance = model->dispersion * dot(model->scratch, model->scratch, model->terms);
    return elo_per_unit * sqrt(variance);
}

// What is known before any game.
static void start_from_prior(DuelModel *model) {
    const size_t n = model->terms;
    const double certainty = pow(elo_per_unit / prior_elo, 2);
    memset(model->factor, 0, n * n * sizeof *model->factor);
    for (size_t i = 0; i < n; i++) {
        const bool is_curvature = i < 2 * model->size && i % 2 == 1;
        const double expected = is_curvature ? -prior_fall_elo / elo_per_unit : 0;
        model->gradient[i] = certainty * (expected - model->theta[i]);
        model->factor[i * n + i] = certainty;
    }
}

// Adds the information of one duel; returns its squared error in units of the expected one.
static double see_duel(DuelModel *model, size_t at) {
    const size_t n = model->terms;
    const Duel *duel = &model->duels[at];
    const double *first = model->points + 2 * model->size * at;
    take_difference(model, first + model->size, first, model->row);
    const double expected = 1 / (1 + exp(-dot(model->theta, model->row, n)));
    // A result that was all but certain must not weigh without bounds.
    const double variance = fmax(1e-3, expected * (1 - expected));
    const double error = (double)duel->points / DUEL_POINTS_MAX - expected;
    for (size_t i = 0; i < n; i++) {
        const double part = duel->weight * PAIR_GAMES * model->row[i];
        model->gradient[i] += part * error;
        for (size_t j = 0; j <= i; j++)
            model->factor[i * n + j] += part * variance * model->row[j];
    }
    return duel->weight * PAIR_GAMES * error * error / variance;
}

// One step of Newton's method; leaves the factor of the information matrix. Returns how far it was.
static double improve(DuelModel *model) {
    const size_t n = model->terms;
    double squares = 0, total = 0, step = 0;
    start_from_prior(model);
    for (size_t k = 0; k < model->count; k++) {
        squares += see_duel(model, k);
        total += model->duels[k].weight;
    }
    // Few results say little about their spread: as many more of games without draws are added.
    model->dispersion = (squares + (double)n) / (total + (double)n);
    cholesky_factorize(model->factor, n);
    cholesky_solve_lower(model->factor, n, model->gradient);
    cholesky_solve_upper(model->factor, n, model->gradient);
    for (size_t i = 0; i < n; i++) {
        // A long step from a bad place may overshoot.
        model->theta[i] += fmin(1, fmax(-1, model->gradient[i]));
        step = fmax(step, fabs(model->gradient[i]));
    }
    return step;
}

// Where games were played: mean and deviation of all candidates, as they count.
static void find_region(DuelModel *model) {
    const size_t size = model->size;
    for (size_t i = 0; i < size; i++) {
        double total = 0, sum = 0, squares = 0;
        for (size_t k = 0; k < 2 * model->count; k++) {
            const double weight = model->duels[k / 2].weight, x = model->points[k * size + i];
            total += weight;
            sum += weight * x;
            squares += weight * x * x;
        }
        const double mean = total > 0 ? sum / total : 0;
        const double spread = total > 0 ? sqrt(fmax(0, squares / total - mean * mean)) : 0;
        model->low[i] = fmax(-1, mean - spread_max * spread);
        model->high[i] = fmin(1, mean + spread_max * spread);
    }
}

// The slope along one number without its own curvature.
static double slope_of(const DuelModel *model, const double *point, size_t at) {
    const double *coupling = model->theta + 2 * model->size;
    double slope = model->theta[2 * at];
    for (size_t i = 0; i < model->size && model->size <= DUEL_COUPLED_MAX; i++)
        for (size_t j = 0; j < i; j++, coupling++)
            slope += i == at ? *coupling * point[j] : j == at ? *coupling * point[i] : 0;
    return slope;
}

// Goes to the best place along each number in turn until nothing changes.
static void climb(const DuelModel *model, double *place) {
    double moved = 1;
    for (size_t i = 0; i < model->size; i++)
        place[i] = fmin(model->high[i], fmax(model->low[i], place[i]));
    for (int sweep = 0; sweep < SWEEPS && moved > 1e-6; sweep++) {
        moved = 0;
        for (size_t i = 0; i < model->size; i++) {
            const double low = model->low[i], high = model->high[i], before = place[i];
            const double slope = slope_of(model, place, i), curve = model->theta[2 * i + 1];
            if (curve < 0)
                place[i] = fmin(high, fmax(low, -slope / (2 * curve)));
            else
                place[i] = slope + curve * (low + high) >= 0 ? high : low;
            moved = fmax(moved, fabs(place[i] - before));
        }
    }
}

// The mean of where the best is by each of several quadratics that the games leave possible: a
// number that they say little of stays in the middle instead of flying to a bound.
static void find_best(DuelModel *model) {
    const size_t n = model->terms, size = model->size;
    climb(model, model->best);
    memcpy(model->fitted, model->theta, n * sizeof *model->theta);
    double *mean = model->row; // at least two terms for each number
    memset(mean, 0, size * sizeof *mean);
    memset(model->spread, 0, size * sizeof *model->spread);
    for (uint32_t guess = 0; guess < GUESSES; guess++) {
        Rng rng = rng_at(0, guess, 0, USE_GUESS);
        for (size_t i = 0; i < n; i++)
            model->scratch[i] = sqrt(model->dispersion) * random_normal(&rng);
        cholesky_solve_upper(model->factor, n, model->scratch);
        for (size_t i = 0; i < n; i++)
            model->theta[i] = model->fitted[i] + model->scratch[i];
        memcpy(model->place, model->best, size * sizeof *model->place);
        climb(model, model->place);
        for (size_t i = 0; i < size; i++) {
            mean[i] += model->place[i] / GUESSES;
            model->spread[i] += model->place[i] * model->place[i] / GUESSES;
        }
    }
    for (size_t i = 0; i < size; i++)
        model->spread[i] = sqrt(fmax(0, model->spread[i] - mean[i] * mean[i]));
    memcpy(model->theta, model->fitted, n * sizeof *model->theta);
    memcpy(model->best, mean, size * sizeof *mean);
}

static void weigh(DuelModel *model) {
    const double top = duel_model_value(model, model->best);
    for (size_t k = 0; k < model->count; k++) {
        const double *first = model->points + 2 * model->size * k;
        const double behind = fmax(top - duel_model_value(model, first),
                                   top - duel_model_value(model, first + model->size));
        model->duels[k].weight = exp(-fmax(0, behind) / reach_elo);
    }
}

void duel_model_fit(DuelModel *model) {
    for (int fit = 0; fit < FITS; fit++) {
        double step = 1;
        for (int i = 0; i < NEWTON_STEPS && step > 1e-6; i++)
            step = improve(model);
        find_region(model);
        find_best(model);
        weigh(model);
    }
}

const double *duel_model_best(const DuelModel *model) {
    return model->best;
}

const double *duel_model_best_spread(const DuelModel *model) {
    return model->spread;
}
