// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit.h"

#include "base/mem.h"
#include "fitness/gradient/adam.h"

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

// --- rounding ---

// Whole numbers in stages: those that reach furthest first, because the others, still free, can
// make up for what rounding spoils. `best` becomes whole.
enum { STAGES = 8, STAGE_STEPS = 40 };

typedef struct Reach {
    size_t term;
    double size; // the mean square of what a unit of the coefficient changes in a score
} Reach;

static int compare_reach(const void *a, const void *b) {
    const Reach *first = a, *second = b;
    if (first->size != second->size)
        return first->size < second->size ? 1 : -1;
    return (first->term > second->term) - (first->term < second->term);
}

static void measure_reach(const LinearSet *set, Reach *reach, size_t terms) {
    for (size_t i = 0; i < terms; i++)
        reach[i] = (Reach){i, 0};
    for (size_t p = 0; p < set->count; p++) {
        const LinearBlock *block = set->blocks[p / LINEAR_BLOCK];
        const double share = (double)block->middlegame[p % LINEAR_BLOCK];
        const double end_share = (double)block->endgame[p % LINEAR_BLOCK];
        for (size_t i = 0; i < set->counts; i++) {
            const double count = linear_set_count(set, p, i);
            reach[set->is_tapered ? 2 * i : i].size += count * count * share * share;
            if (set->is_tapered)
                reach[2 * i + 1].size += count * count * end_share * end_share;
        }
    }
    qsort(reach, terms, sizeof *reach, compare_reach);
}

static Status round_in_stages(const Fit *fit) {
    const FitConfig *config = fit->config;
    const size_t terms = fit->terms;
    Reach *reach = mem_alloc(terms * sizeof *reach);
    double *low = mem_alloc(2 * terms * sizeof *low), *high = low + terms, unused;
    Status status = OK;
    measure_reach(fit->training, reach, terms);
    memcpy(low, config->low, terms * sizeof *low);
    memcpy(high, config->high, terms * sizeof *high);
    for (size_t stage = 1, done = 0; stage <= STAGES && status == OK; stage++) {
        for (; done < terms * stage / STAGES; done++) {
            const size_t term = reach[done].term;
            low[term] = high[term] = fit->best[term] = (double)lround(fit->best[term]);
        }
        Adam adam;
        adam_init(&adam, terms, low, high);
        for (unsigned i = 1; i <= STAGE_STEPS && stage < STAGES && status == OK; i++) {
            status = linear_slope(fit->training, &config->loss, fit->best, fit->pool, &unused,
                                  fit->gradient);
            add_pull(fit, fit->best);
            adam_step(&adam, fit->gradient, adam_rate(config->rate / 10, i, STAGE_STEPS),
                      fit->best);
        }
        adam_free(&adam);
    }
    free(reach);
    free(low);
    return status;
}

// Each to its nearest, or in stages, whichever is better: the steps between stages go on learning,
// and that can be too much.
static Status round_best(const Fit *fit, double *coefficients, FitResult *result) {
    FitRound staged = {.number = result->best.number};
    result->whole = staged;
    for (size_t i = 0; i < fit->terms; i++)
        coefficients[i] = (double)lround(fit->best[i]);
    Status status = judge(fit, coefficients, NULL, &result->whole);
    if (status == OK)
        status = round_in_stages(fit);
    if (status == OK)
        status = judge(fit, fit->best, NULL, &staged);
    if (status == OK && judged_by(&staged) < judged_by(&result->whole)) {
        result->whole = staged;
        memcpy(coefficients, fit->best, fit->terms * sizeof *coefficients);
    }
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
    if (status == OK)
        status = round_best(&fit, coefficients, result);
    free(memory);
    return status;
}
