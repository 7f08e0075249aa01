// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/fit.h"

#include "base/mem.h"
#include "fitness/adam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Distances from the start are measured in pawns.
static const double pull_unit = 100;

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
    Status status = linear_slope(fit->training, &fit->config->loss, coefficients, fit->pool,
                                 &round->training, gradient);
    round->held_out = (double)NAN;
    if (status == OK && fit->held_out->count > 0)
        status = linear_slope(fit->held_out, &fit->config->loss, coefficients, fit->pool,
                              &round->held_out, NULL);
    return status;
}

static void add_pull(const Fit *fit, const double *coefficients) {
    for (size_t i = 0; i < fit->terms; i++)
        fit->gradient[i] +=
            2 * fit->config->pull * (coefficients[i] - fit->start[i]) / (pull_unit * pull_unit);
}

static Status descend(const Fit *fit, double *coefficients, FitResult *result) {
    const FitConfig *config = fit->config;
    Adam adam;
    Status status = OK;
    adam_init(&adam, fit->terms, config->low, config->high);
    for (unsigned number = 0; status == OK; number++) {
        FitRound round = {.number = number};
        status = judge(fit, coefficients, fit->gradient, &round);
        if (status != OK)
            break;
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
            break;
        add_pull(fit, coefficients);
        adam_step(&adam, fit->gradient, adam_rate(config->rate, number + 1, config->rounds),
                  coefficients);
    }
    adam_free(&adam);
    return status;
}

Status fit_coefficients(const FitConfig *config, const LinearSet *training,
                        const LinearSet *held_out, DistPool *pool, double *coefficients,
                        FitResult *result) {
    Fit fit = {config, training, held_out, pool, linear_set_coefficients(training), 0, 0, 0};
    if (training->count == 0)
        return error_set(ERR_ARG, "there are no positions to learn from");
    double *memory = mem_alloc_zero(3 * fit.terms, sizeof *memory);
    fit.start = memory;
    fit.best = memory + fit.terms;
    fit.gradient = memory + 2 * fit.terms;
    *result = (FitResult){0};
    for (size_t i = 0; i < fit.terms; i++)
        coefficients[i] = fit.start[i] =
            fmin(fmax(coefficients[i], config->low[i]), config->high[i]);
    Status status = descend(&fit, coefficients, result);
    for (size_t i = 0; i < fit.terms; i++)
        coefficients[i] = (double)lround(fit.best[i]);
    result->whole.number = result->best.number;
    if (status == OK)
        status = judge(&fit, coefficients, NULL, &result->whole);
    free(memory);
    return status;
}
