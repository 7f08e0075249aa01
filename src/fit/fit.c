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
            2 * fit->config->pull * (coefficients[i] - centre[i]) / (pull_unit * pull_unit);
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
    return MEM_ORDER(first->term, second->term);
}

// Adds what the positions of a tile have of one count: `cells` are theirs.
static void add_reach(const LinearBlock *block, size_t place, const void *cells, double sizes[2]) {
    double middlegame = sizes[0], endgame = sizes[1];
    for (size_t lane = 0; lane < LINEAR_LANES; lane++) {
        const double count =
            block->is_wide ? ((const int16_t *)cells)[lane] : ((const int8_t *)cells)[lane];
        const double share = (double)block->middlegame[place + lane];
        const double end_share = (double)block->endgame[place + lane];
        middlegame += count * count * share * share;
        endgame += count * count * end_share * end_share;
    }
    sizes[0] = middlegame;
    sizes[1] = endgame;
}

// Tile by tile, as the cells lie; each sum still takes the positions in their order.
static void measure_reach(const LinearSet *set, Reach *reach, size_t terms) {
    CLEANUP(mem_free_at) double *sizes = mem_alloc_zero(2 * set->counts + 1, sizeof *sizes);
    for (size_t b = 0; b < set->block_count; b++) {
        const LinearBlock *block = set->blocks[b];
        const char *cells = block->cells;
        const size_t row = LINEAR_LANES * (block->is_wide ? sizeof(int16_t) : sizeof(int8_t));
        for (size_t tile = 0; tile < LINEAR_TILES; tile++)
            for (size_t i = 0; i < set->counts; i++, cells += row)
                add_reach(block, tile * LINEAR_LANES, cells, sizes + 2 * i);
    }
    for (size_t i = 0; i < terms; i++)
        reach[i] = (Reach){i, sizes[set->is_tapered ? i : 2 * i]};
    qsort(reach, terms, sizeof *reach, compare_reach);
}

static Status round_in_stages(const Fit *fit) {
    const FitConfig *config = fit->config;
    const size_t terms = fit->terms;
    CLEANUP(mem_free_at) Reach *reach = mem_alloc(terms * sizeof *reach);
    CLEANUP(mem_free_at) double *low = mem_alloc(2 * terms * sizeof *low);
    CLEANUP(mem_free_at) bool *is_free = mem_alloc((terms + 1) * sizeof *is_free);
    double *high = low + terms, unused;
    for (size_t i = 0; i < terms; i++)
        is_free[i] = config->low[i] < config->high[i];
    measure_reach(fit->training, reach, terms);
    memcpy(low, config->low, terms * sizeof *low);
    memcpy(high, config->high, terms * sizeof *high);
    for (size_t stage = 1, done = 0; stage <= STAGES; stage++) {
        for (; done < terms * stage / STAGES; done++) {
            const size_t term = reach[done].term;
            low[term] = high[term] = fit->best[term] = (double)lround(fit->best[term]);
            is_free[term] = false;
        }
        CLEANUP(adam_free) Adam adam = {0};
        adam_init(&adam, terms, low, high);
        for (unsigned i = 1; i <= STAGE_STEPS && stage < STAGES; i++) {
            TRY(linear_slope_of_some(fit->training, &config->loss, fit->best, is_free, fit->pool,
                                     &unused, fit->gradient));
            add_pull(fit, fit->best);
            adam_step(&adam, fit->gradient, adam_rate(config->rate / 10, i, STAGE_STEPS),
                      fit->best);
        }
    }
    return OK;
}

// Each to its nearest, or in stages, whichever is better: the steps between stages go on learning,
// and that can be too much.
static Status round_best(const Fit *fit, double *coefficients, FitResult *result) {
    FitRound staged = {.number = result->best.number};
    result->whole = staged;
    for (size_t i = 0; i < fit->terms; i++)
        coefficients[i] = (double)lround(fit->best[i]);
    TRY(judge(fit, coefficients, NULL, &result->whole));
    TRY(round_in_stages(fit));
    TRY(judge(fit, fit->best, NULL, &staged));
    if (judged_by(&staged) < judged_by(&result->whole)) {
        result->whole = staged;
        memcpy(coefficients, fit->best, fit->terms * sizeof *coefficients);
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
