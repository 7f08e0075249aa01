// SPDX-License-Identifier: GPL-3.0-or-later
// CMA-ES with restarts of doubled population (IPOP, Auger and Hansen 2005). The distribution lives
// in boxes of size 1; samples that leave them are mirrored back. Uses the maths library: the same
// results on one kind of machine only.
#include "base/mem.h"
#include "evolve/cma.h"
#include "evolve/selection.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    CMAES_STEP = OPTIONS_COMMON,
    CMAES_COVARIANCE,
    CMAES_RESTARTS,
    CMAES_LEAST_DEVIATION,
    CMAES_OPTION_COUNT,
};

enum { FULL_UP_TO = 200, LAMBDA_MAX = 1000000 };
static const double SMALLEST_DEVIATION = 1e-11; // of a box

typedef enum Covariance { COVARIANCE_AUTO, COVARIANCE_FULL, COVARIANCE_SEPARABLE } Covariance;
static const char *const covariance_names[] = {"auto", "full", "separable", NULL};

static const Setting options[] = {
    OPTIONS_FOR_ALL(0, "0", "1000"),
    OPTION_REAL("step", 1e-6, 10, "0.3", "standard deviation of the start, in sizes of a box"),
    OPTION_CHOICE("covariance", "auto", covariance_names,
                  "auto: full up to 200 parameters, separable beyond"),
    OPTION_WHOLE("restarts", 0, 30, "30", "how often to begin anew with twice the population"),
    OPTION_REAL("least-deviation", 0, 1, "0.25",
                "least standard deviation of whole numbers, lest they freeze"),
};
static_assert(sizeof options / sizeof *options == CMAES_OPTION_COUNT, "one row per option");

typedef struct Cmaes {
    Population samples;
    Cma cma;
    size_t *free_parameters; // which parameters the dimensions are
    double *least;           // deviation of each dimension
    uint32_t *order;
    size_t first_lambda;
    uint32_t restarts, stale; // generations without progress
    int64_t best;             // since the last restart
    bool has_best, is_over;
} Cmaes;

// Back and forth between 0 and 1.
static double mirror(double value) {
    double folded = fmod(fabs(value), 2);
    return folded > 1 ? 2 - folded : folded;
}

static void hand_out(Cmaes *cmaes, const EvolveRun *run) {
    const Cma *cma = &cmaes->cma;
    size_t width = run->space->count;
    for (size_t i = 0; i < cma->lambda; i++) {
        double *row = cmaes->samples.rows + i * width;
        for (size_t j = 0; j < width; j++)
            row[j] = run->space->parameters[j].low;
        for (size_t d = 0; d < cma->size; d++) {
            size_t j = cmaes->free_parameters[d];
            const EvolveParameter *parameter = &run->space->parameters[j];
            double at = mirror(cma->mean[d] + cma->sigma * cma->steps[i * cma->size + d]);
            double value = parameter->low + at * (parameter->high - parameter->low);
            row[j] = space_nearest(run->space, j, value);
        }
    }
}

static void sample(Cmaes *cmaes, const EvolveRun *run, uint32_t generation) {
    cma_sample(&cmaes->cma, run, generation);
    hand_out(cmaes, run);
}

static size_t lambda_of(const Cmaes *cmaes, uint32_t restarts) {
    size_t lambda = cmaes->first_lambda;
    for (uint32_t i = 0; i < restarts && 2 * lambda <= LAMBDA_MAX; i++)
        lambda *= 2;
    return lambda;
}

// Room for the samples of so many restarts, and a distribution in the middle of its boxes.
static Status start(Cmaes *cmaes, const EvolveRun *run, uint32_t restarts) {
    size_t lambda = lambda_of(cmaes, restarts);
    free(cmaes->samples.rows);
    free(cmaes->order);
    cmaes->samples.count = lambda;
    cmaes->samples.rows = population_alloc(lambda, run->space->count * sizeof(double));
    cmaes->order = population_alloc(lambda, sizeof *cmaes->order);
    if (cmaes->samples.rows == NULL || cmaes->order == NULL)
        return ERR_LIMIT;
    cmaes->restarts = restarts;
    cmaes->stale = 0;
    cmaes->has_best = false;
    for (size_t d = 0; d < cmaes->cma.size; d++)
        cmaes->cma.mean[d] = 0.5;
    return cma_start(&cmaes->cma, lambda, run->options[CMAES_STEP]);
}

static void place_mean(Cmaes *cmaes, const EvolveRun *run) {
    for (size_t d = 0; d < cmaes->cma.size && run->start_count > 0; d++) {
        const EvolveParameter *parameter = &run->space->parameters[cmaes->free_parameters[d]];
        double value = space_nearest(run->space, cmaes->free_parameters[d],
                                     run->start[cmaes->free_parameters[d]]);
        cmaes->cma.mean[d] = (value - parameter->low) / (parameter->high - parameter->low);
    }
}

static Status create(void *state, const EvolveRun *run) {
    Cmaes *cmaes = state;
    size_t width = run->space->count, size = 0;
    cmaes->free_parameters = mem_alloc(width * sizeof *cmaes->free_parameters);
    cmaes->least = mem_alloc_zero(width, sizeof(double));
    for (size_t j = 0; j < width; j++) {
        double box = run->space->parameters[j].high - run->space->parameters[j].low;
        if (box == 0)
            continue;
        if (run->space->is_integer)
            cmaes->least[size] = run->options[CMAES_LEAST_DEVIATION] / box;
        cmaes->free_parameters[size++] = j;
    }
    Covariance kind = (Covariance)run->options[CMAES_COVARIANCE];
    if (kind == COVARIANCE_AUTO)
        kind = size <= FULL_UP_TO ? COVARIANCE_FULL : COVARIANCE_SEPARABLE;
    size_t asked = (size_t)run->options[OPTION_POPULATION];
    if (asked > 0 && asked < 4)
        return error_set(ERR_ARG, "population must be 0 (automatic) or at least 4, not %zu", asked);
    cmaes->first_lambda = asked > 0 ? asked : 4 + (size_t)(3 * log((double)size));
    cma_open(&cmaes->cma, size, kind == COVARIANCE_SEPARABLE);
    TRY(start(cmaes, run, 0));
    place_mean(cmaes, run);
    sample(cmaes, run, run->generation);
    return OK;
}

static void destroy(void *state) {
    Cmaes *cmaes = state;
    cma_close(&cmaes->cma);
    free(cmaes->free_parameters);
    free(cmaes->least);
    free(cmaes->samples.rows);
    free(cmaes->order);
}

// Counts generations that brought nothing new: no better organism, or no difference to learn from.
static void count_stale(Cmaes *cmaes, const EvolveRun *run, const int64_t *scores) {
    int64_t best = scores[cmaes->order[0]];
    bool is_flat = best == scores[cmaes->order[cmaes->cma.lambda / 2]];
    bool is_better = run->fresh_scores || !cmaes->has_best || best > cmaes->best;
    cmaes->stale = is_flat || !is_better ? cmaes->stale + 1 : 0;
    if (is_better)
        cmaes->best = best;
    cmaes->has_best = true;
}

static bool has_converged(const Cmaes *cmaes) {
    const Cma *cma = &cmaes->cma;
    double largest = 0;
    for (size_t d = 0; d < cma->size; d++)
        largest = fmax(largest, cma_deviation(cma, d));
    double patience = 50 + 30 * (double)cma->size / (double)cma->lambda;
    return largest < SMALLEST_DEVIATION || !cma_is_sound(cma) || cmaes->stale > patience;
}

// Restarts at a random place, or ends.
static Status restart(Cmaes *cmaes, const EvolveRun *run) {
    if (cmaes->restarts >= run->options[CMAES_RESTARTS]) {
        cmaes->is_over = true;
        return OK;
    }
    TRY(start(cmaes, run, cmaes->restarts + 1));
    Rng rng = evolve_run_rng(run, 0, USE_START);
    for (size_t d = 0; d < cmaes->cma.size; d++)
        cmaes->cma.mean[d] = rng_real(&rng);
    return OK;
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    Cmaes *cmaes = state;
    selection_order(scores, cmaes->cma.lambda, cmaes->order);
    count_stale(cmaes, run, scores);
    cma_learn(&cmaes->cma, cmaes->order);
    if (run->space->is_integer)
        cma_raise(&cmaes->cma, cmaes->least);
    if (has_converged(cmaes))
        TRY(restart(cmaes, run));
    sample(cmaes, run, run->generation + 1);
    return OK;
}

static const char *stop_reason(const void *state) {
    const Cmaes *cmaes = state;
    return cmaes->is_over ? "converged after the last restart" : NULL;
}

static void save(const void *state, Str *out) {
    const Cmaes *cmaes = state;
    bytes_add_u32(out, cmaes->restarts);
    bytes_add_u32(out, cmaes->stale);
    bytes_add_i64(out, cmaes->best);
    bytes_add_u8(out, cmaes->has_best);
    bytes_add_u8(out, cmaes->is_over);
    cma_save(&cmaes->cma, out);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Cmaes *cmaes = state;
    uint32_t restarts = bytes_u32(in);
    if (restarts > run->options[CMAES_RESTARTS]) {
        in->failed = true;
        return OK;
    }
    TRY(start(cmaes, run, restarts));
    cmaes->stale = bytes_u32(in);
    cmaes->best = bytes_i64(in);
    cmaes->has_best = bytes_u8(in) != 0;
    cmaes->is_over = bytes_u8(in) != 0;
    cma_load(&cmaes->cma, in);
    sample(cmaes, run, run->generation);
    return OK;
}

const EvolveAlgorithm evolve_cmaes = {
    .name = "cmaes",
    .summary = "CMA-ES with restarts; population 0 means 4 + 3 ln n",
    .options = options,
    .option_count = CMAES_OPTION_COUNT,
    .state_size = sizeof(Cmaes),
    .takes_one_start = true,
    .create = create,
    .tell = tell,
    .stop_reason = stop_reason,
    .save = save,
    .load = load,
    .destroy = destroy,
};
