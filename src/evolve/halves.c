// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: real-coded, the better half survives, each survivor has one child by
// mutation, and now and then a player of the past takes the place of a child.
#include "base/mem.h"
#include "evolve/common_options.h"
#include "evolve/mutation.h"
#include "evolve/population.h"
#include "evolve/random.h"
#include "evolve/selection.h"
#include "evolve/storage.h"
#include "evolve/survival.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    HALVES_MUTATION = OPTIONS_COMMON,
    HALVES_SHAPE,
    HALVES_SPREAD,
    HALVES_ARCHIVE,
    HALVES_ARCHIVE_RATE,
    HALVES_OPTION_COUNT,
};

typedef enum Mutation { MUTATION_NONUNIFORM, MUTATION_DEVIATION } Mutation;
static const char *const mutation_names[] = {"non-uniform", "deviation", NULL};

static const EvolveOption options[] = {
    COMMON_OPTIONS(2, 20, 200),
    {"mutation", EVOLVE_CHOICE, 0, MUTATION_DEVIATION, MUTATION_NONUNIFORM,
     "non-uniform (Michalewicz) or by a share of the population's deviation", mutation_names},
    {"shape", EVOLVE_FRACTION, 0, 100, 5, "how fast non-uniform mutation calms down (b)", NULL},
    {"spread", EVOLVE_FRACTION, 0, 100, 2, "width of deviation mutation, in deviations", NULL},
    {"archive", EVOLVE_WHOLE, 0, 100000, 20, "how many players of the past are kept", NULL},
    {"archive-rate", EVOLVE_FRACTION, 0, 1, 0.1, "chance that a child is one of them", NULL},
};
static_assert(sizeof options / sizeof *options == HALVES_OPTION_COUNT, "one row per option");

typedef struct Halves {
    size_t population, width;
    double *parameters, *next, *deviations;
    uint32_t *order;
    Archive archive;
} Halves;

static Status create(void **state, const EvolveRun *run) {
    Halves *halves = mem_alloc_zero(1, sizeof *halves);
    *state = halves;
    size_t population = (size_t)run->options[OPTION_POPULATION], width = run->space->count;
    halves->population = population;
    halves->width = width;
    halves->parameters = storage_new(population, width * sizeof(double));
    halves->next = storage_new(population, width * sizeof(double));
    halves->order = storage_new(population, sizeof *halves->order);
    if (halves->parameters == NULL || halves->next == NULL || halves->order == NULL)
        return ERR_LIMIT;
    halves->deviations = mem_alloc_zero(width, sizeof(double));
    halves->archive = survival_archive_create((size_t)run->options[HALVES_ARCHIVE], width);
    population_start(run, halves->parameters, population);
    return OK;
}

static void destroy(void *state) {
    Halves *halves = state;
    free(halves->parameters);
    free(halves->next);
    free(halves->deviations);
    free(halves->order);
    survival_archive_free(&halves->archive);
    free(halves);
}

static void ask(void *state, const double **parameters, size_t *count) {
    const Halves *halves = state;
    *parameters = halves->parameters;
    *count = halves->population;
}

static void mutate(const Halves *halves, const EvolveRun *run, Rng *rng, double *child) {
    if (run->options[HALVES_MUTATION] == MUTATION_NONUNIFORM) {
        double over =
            run->generation < run->generations ? (double)run->generation / run->generations : 1;
        mutation_nonuniform(run->space, over, run->options[HALVES_SHAPE], rng, child);
        return;
    }
    for (size_t j = 0; j < halves->width; j++) {
        double step = mutation_step(run->options[HALVES_SPREAD], halves->deviations[j], rng);
        child[j] = space_nearest(run->space, j, child[j] + step);
    }
}

static void make_child(const Halves *halves, const EvolveRun *run, size_t place,
                       const double *parent) {
    double *child = halves->next + place * halves->width;
    Rng rng = evolve_run_rng(run, place, USE_ARCHIVE);
    const double *past = rng_real(&rng) < run->options[HALVES_ARCHIVE_RATE]
                             ? survival_archive_draw(&halves->archive, &rng)
                             : NULL;
    memcpy(child, past != NULL ? past : parent, halves->width * sizeof *child);
    Rng own = evolve_run_rng(run, place, USE_MUTATION);
    if (past == NULL)
        mutate(halves, run, &own, child);
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    Halves *halves = state;
    size_t width = halves->width, survivors = (halves->population + 1) / 2;
    selection_order(scores, halves->population, halves->order);
    mutation_deviations(halves->parameters, halves->population, width, halves->deviations);
    for (size_t i = 0; i < halves->population; i++) {
        const double *organism = halves->parameters + halves->order[i] * width;
        if (i < survivors)
            memcpy(halves->next + i * width, organism, width * sizeof *organism);
        else
            survival_archive_offer(&halves->archive, organism, scores[halves->order[i]]);
    }
    for (size_t i = survivors; i < halves->population; i++)
        make_child(halves, run, i, halves->next + (i - survivors) * width);
    double *old = halves->parameters;
    halves->parameters = halves->next;
    halves->next = old;
    return OK;
}

static void save(const void *state, Str *out) {
    const Halves *halves = state;
    bytes_add_doubles(out, halves->parameters, halves->population * halves->width);
    survival_archive_save(&halves->archive, out);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Halves *halves = state;
    storage_load_organisms(run->space, in, halves->parameters, halves->population);
    survival_archive_load(&halves->archive, run->space, in);
    return OK;
}

const EvolveAlgorithm evolve_halves = {
    .name = "halves",
    .summary = "the better half survives and has children by mutation (ASOC 2013)",
    .options = options,
    .option_count = HALVES_OPTION_COUNT,
    .create = create,
    .ask = ask,
    .tell = tell,
    .save = save,
    .load = load,
    .destroy = destroy,
};
