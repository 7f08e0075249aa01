// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit.h"

#include "base/mem.h"
#include "fit/fit_round.h"
#include "fitness/gradient/adam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fit {
    const FitConfig *config;
    const LinearSet *training, *held_out;
    DistPool *pool;
    size_t terms;
    double *start, *best, *gradient;
} Fit;

static double judged_by(const FitRound *round) {
    return isnan(round->held_out) ? round->training : round->held_out;
}

// `gradient` may be NULL.
static Status judge(const Fit *fit, const double *coefficients, double *gradient, FitRound *round) {
    const LinearLoss *loss = &fit->config->loss;
    round->held_out = (double)NAN;
    TRY(linear_slope(fit->training, loss, coefficients, fit->pool, &round->training, gradient));
    if (fit->held_out->count == 0)
        return OK;
    return linear_slope(fit->held_out, loss, coefficients, fit->pool, &round->held_out, NULL);
}

static void add_pull(const Fit *fit, const double *coefficients) {
    const double *centre = fit->config->centre != NULL ? fit->config->centre : fit->start;
    for (size_t i = 0; i < fit->terms; i++)
        fit->gradient[i] +=
            2 * fit->config->pull * (coefficients[i] - centre[i]) / (FIT_PULL_UNIT * FIT_PULL_UNIT);
}

static Status descend(const Fit *fit, double *coefficients, FitResult *result) {
    const FitConfig *config = fit->config;
    CLEANUP(adam_free) Adam adam = {0};
    adam_init(&adam, fit->terms, config->low, config->high);
    for (unsigned number = 0;; number++) {
        FitRound round = {.number = number, .pull = config->pull};
        TRY(judge(fit, coefficients, fit->gradient, &round));
        if (number == 0)
            result->start = round;
        if (number == 0 || judged_by(&round) < judged_by(&result->best)) {
            result->best = round;
            memcpy(fit->best, coefficients, fit->terms * sizeof *fit->best);
        }
        result->rounds = number;
        if (config->observe != NULL)
            config->observe(config->context, &round);
        result->is_early = config->patience > 0 && number - result->best.number >= config->patience;
        if (result->is_early || number == config->rounds)
            return OK;
        add_pull(fit, coefficients);
        adam_step(&adam, fit->gradient, adam_rate(config->rate, number + 1, config->rounds),
                  coefficients);
    }
}

// Each to its nearest, or all together, whichever is better: the second goes by how the loss bends
// around the best, and ignores its slope there.
static Status round_best(const Fit *fit, double *coefficients, FitResult *result) {
    FitRound together = {.number = result->best.number};
    CLEANUP(mem_free_at) double *whole = mem_alloc(fit->terms * sizeof *whole);
    result->whole = together;
    for (size_t i = 0; i < fit->terms; i++)
        coefficients[i] = (double)lround(fit->best[i]);
    TRY(judge(fit, coefficients, NULL, &result->whole));
    TRY(fit_round(fit->config, fit->training, fit->best, fit->pool, whole));
    TRY(judge(fit, whole, NULL, &together));
    if (judged_by(&together) < judged_by(&result->whole)) {
        result->whole = together;
        memcpy(coefficients, whole, fit->terms * sizeof *coefficients);
    }
    return OK;
}

Status fit_coefficients(const FitConfig *config, const LinearSet *training,
                        const LinearSet *held_out, DistPool *pool, double *coefficients,
                        FitResult *result) {
    Fit fit = {config, training, held_out, pool, linear_set_coefficients(training), 0, 0, 0};
    if (training->count == 0)
        return error_set(ERR_ARG, "there are no positions to learn from");
    CLEANUP(mem_free_at) double *memory = mem_alloc_zero(3 * fit.terms, sizeof *memory);
    fit.start = memory;
    fit.best = memory + fit.terms;
    fit.gradient = memory + 2 * fit.terms;
    *result = (FitResult){0};
    for (size_t i = 0; i < fit.terms; i++)
        coefficients[i] = fit.start[i] =
            fmin(fmax(coefficients[i], config->low[i]), config->high[i]);
    TRY(descend(&fit, coefficients, result));
    return round_best(&fit, coefficients, result);
}
