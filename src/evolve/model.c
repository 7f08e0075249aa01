// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/model.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 30, REPAIRS = 30 };
static const double COUPLING_MAX = 0.98; // beyond it noise would make the model a saddle
static const double TRUST = 0.5;         // how much of a new measurement is believed

void model_open(Model *model, size_t size) {
    *model = (Model){.size = size};
    model->centre = mem_alloc_zero(model_doubles(model), sizeof(double));
    model->slopes = model->centre + size;
    model->curvatures = model->slopes + size;
    model->couplings = model->curvatures + size;
}

void model_close(Model *model) {
    free(model->centre);
    *model = (Model){0};
}

size_t model_doubles(const Model *model) {
    return (3 + model->size) * model->size;
}

void model_see_axis(Model *model, size_t i, const double steps[2], const double gains[2]) {
    double first = gains[0] / steps[0], second = gains[1] / steps[1];
    double curvature = 2 * (first - second) / (steps[0] - steps[1]);
    if (curvature > 0)
        model->curvatures[i] = curvature;
    else if (model->curvatures[i] == 0)
        model->curvatures[i] = fmax(fabs(first), fabs(second)) + 1e-9;
    model->slopes[i] = first - model->curvatures[i] * steps[0] / 2;
}

void model_see_pair(Model *model, size_t i, size_t j, const double steps[2],
                    const double gains[3]) {
    double mixed = (gains[2] - gains[0] - gains[1]) / (steps[0] * steps[1]);
    double coupling = mixed / sqrt(model->curvatures[i] * model->curvatures[j]);
    if (!isfinite(coupling))
        return;
    coupling = fmin(fmax(coupling, -COUPLING_MAX), COUPLING_MAX);
    double *known = &model->couplings[i * model->size + j];
    *known = *known == 0 ? coupling : *known + TRUST * (coupling - *known);
    model->couplings[j * model->size + i] = *known;
}

// A move under construction: the slopes where it has led, and the matrix of second derivatives.
typedef struct Descent {
    size_t size;
    const double *low, *high;
    double *move, *slopes, *matrix;
} Descent;

static void step_along(Descent *descent, size_t i, double step) {
    descent->move[i] += step;
    for (size_t k = 0; k < descent->size; k++)
        descent->slopes[k] += step * descent->matrix[i * descent->size + k];
}

// The best step along number i when its slope is `slope`; a whole one if asked.
static double best_step(const Descent *descent, size_t i, double slope, bool is_whole) {
    double to = descent->move[i] - slope / descent->matrix[i * descent->size + i];
    if (is_whole)
        to = floor(to + 0.5);
    return fmin(fmax(to, descent->low[i]), descent->high[i]) - descent->move[i];
}

static double loss_of_step(const Descent *descent, size_t i, double slope, double step) {
    return step * slope + step * step * descent->matrix[i * descent->size + i] / 2;
}

// The best step of one number by 1 together with any whole step of another; false when none helps.
static bool repair_pair(Descent *descent) {
    size_t n = descent->size, best_i = 0, best_j = 0;
    double best = -1e-9, best_one = 0, best_other = 0;
    for (size_t i = 0; i < n; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double to = descent->move[i] + sign;
            if (to < descent->low[i] || to > descent->high[i])
                continue;
            double alone = loss_of_step(descent, i, descent->slopes[i], sign);
            for (size_t j = 0; j < n; j++) {
                double slope = descent->slopes[j] + sign * descent->matrix[i * n + j];
                double other = i == j ? 0 : best_step(descent, j, slope, true);
                double loss = alone + (i == j ? 0 : loss_of_step(descent, j, slope, other));
                if (loss < best) {
                    best = loss;
                    best_i = i;
                    best_j = j;
                    best_one = sign;
                    best_other = other;
                }
            }
        }
    if (best_one == 0)
        return false;
    step_along(descent, best_i, best_one);
    if (best_j != best_i)
        step_along(descent, best_j, best_other);
    return true;
}

static void fill_matrix(const Model *model, double *matrix) {
    size_t n = model->size;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = i == j ? model->curvatures[i]
                                       : model->couplings[i * n + j] *
                                             sqrt(model->curvatures[i] * model->curvatures[j]);
}

// Takes part of the way and goes to the whole numbers around it, leaving room of 1 to mend.
static void round_move(const Model *model, Descent *descent, double part, double *room_low,
                       double *room_high) {
    size_t n = descent->size;
    for (size_t i = 0; i < n; i++) {
        double to = part * descent->move[i];
        room_low[i] = fmax(descent->low[i], floor(to) - 1);
        room_high[i] = fmin(descent->high[i], ceil(to) + 1);
        descent->slopes[i] = model->slopes[i];
        descent->move[i] = fmin(fmax(floor(to + 0.5), descent->low[i]), descent->high[i]);
    }
    for (size_t i = 0; i < n; i++) {
        double moved = descent->move[i];
        descent->move[i] = 0;
        step_along(descent, i, moved);
    }
}

void model_minimize(const Model *model, const double *low, const double *high, double part,
                    double *move) {
    size_t n = model->size;
    double *room = mem_alloc((3 * n + n * n) * sizeof *room);
    Descent descent = {n, low, high, move, room + 2 * n, room + 3 * n};
    fill_matrix(model, descent.matrix);
    memset(move, 0, n * sizeof *move);
    memcpy(descent.slopes, model->slopes, n * sizeof *move);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 0; i < n; i++)
            step_along(&descent, i, best_step(&descent, i, descent.slopes[i], false));
    round_move(model, &descent, part, room, room + n);
    descent.low = room;
    descent.high = room + n;
    for (int repair = 0; repair < REPAIRS && repair_pair(&descent); repair++)
        ;
    free(room);
}
