// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm with local search on its best: every batch is the population, the best so
// far, and neighbours of it. What the search finds is written back into a chromosome (Lamarck).
#include "evolve/ga.h"
#include "evolve/local.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MEMETIC_NEIGHBOURS = GA_OPTION_COUNT, MEMETIC_OPTION_COUNT };

static const Setting options[] = {
    OPTIONS_FOR_ALL(2, "100", "300"),
    GA_OPTIONS,
    OPTION_WHOLE("neighbours", 0, 1000000, "0",
                 "steps of local search in each generation; 0: as few as it can do with"),
};
static_assert(sizeof options / sizeof *options == MEMETIC_OPTION_COUNT, "one row per option");

typedef struct Memetic {
    Ga ga; // its rows of parameters go on with the best and the neighbours
    LocalSearch local;
    int64_t *scores; // of the population, with the best written back
} Memetic;

static double *best_row_of(const Memetic *memetic) {
    const Population *organisms = &memetic->ga.organisms;
    return organisms->rows + organisms->size * organisms->width;
}

static double *neighbours_of(const Memetic *memetic) {
    return best_row_of(memetic) + memetic->ga.code.count;
}

static Status create(void *state, const EvolveRun *run) {
    Memetic *memetic = state;
    size_t population = memetic->ga.organisms.size;
    size_t asked = (size_t)run->options[MEMETIC_NEIGHBOURS];
    size_t least = local_least_neighbours(run->space), neighbours = asked == 0 ? least : asked;
    if (run->space->count > LOCAL_PARAMETERS_MAX)
        return error_set(ERR_ARG, "memetic takes at most %d parameters, not %zu",
                         LOCAL_PARAMETERS_MAX, run->space->count);
    if (neighbours < least)
        return error_set(ERR_ARG, "neighbours must be 0 (automatic) or at least %zu, not %zu",
                         least, neighbours);
    TRY(ga_open(&memetic->ga, run, population + 1 + neighbours));
    local_open(&memetic->local, &memetic->ga.code, neighbours);
    memetic->scores = population_alloc(population, sizeof *memetic->scores);
    return memetic->scores == NULL ? ERR_LIMIT : OK;
}

static void destroy(void *state) {
    Memetic *memetic = state;
    ga_close(&memetic->ga);
    local_close(&memetic->local);
    free(memetic->scores);
}

static void propose(Memetic *memetic, const EvolveRun *run, uint32_t generation) {
    const Ga *ga = &memetic->ga;
    memcpy(best_row_of(memetic), memetic->local.best, ga->code.count * sizeof(double));
    local_propose(&memetic->local, run, generation, ga->organisms.rows, ga->organisms.size,
                  neighbours_of(memetic));
    memetic->ga.organisms.count = ga->organisms.size + 1 + memetic->local.neighbours;
}

// The best of population, place of the search and neighbours, and its score: where the search goes.
static int64_t find_best(Memetic *memetic, const EvolveRun *run, const int64_t *scores) {
    const Ga *ga = &memetic->ga;
    size_t own = ga->organisms.size, first = own + 1;
    size_t bred = survival_best(scores, ga->organisms.size);
    int64_t best = scores[bred];
    if (memetic->local.has_best) {
        bool moved =
            local_learn(&memetic->local, run, scores[own], neighbours_of(memetic), scores + first);
        size_t found = survival_best(scores + first, memetic->local.neighbours);
        int64_t score = moved ? scores[first + found] : scores[own];
        if (score >= best)
            return score;
    }
    local_move(&memetic->local, ga->organisms.rows + bred * ga->code.count);
    return best;
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    Memetic *memetic = state;
    Ga *ga = &memetic->ga;
    int64_t best = find_best(memetic, run, scores);
    memcpy(memetic->scores, scores, ga->organisms.size * sizeof *scores);
    size_t worst = survival_worst(scores, ga->organisms.size);
    ga_write(ga, worst, memetic->local.best);
    memetic->scores[worst] = best;
    TRY(ga_breed(ga, run, memetic->scores));
    propose(memetic, run, run->generation + 1);
    return OK;
}

static void save(const void *state, Str *out) {
    const Memetic *memetic = state;
    ga_save(&memetic->ga, out);
    local_save(&memetic->local, out);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Memetic *memetic = state;
    ga_load(&memetic->ga, in);
    local_load(&memetic->local, run->space, in);
    if (!in->failed && memetic->local.has_best)
        propose(memetic, run, run->generation);
    return OK;
}

const EvolveAlgorithm evolve_memetic = {
    .name = "memetic",
    .summary = "genetic algorithm with local search on its best, written back",
    .options = options,
    .option_count = MEMETIC_OPTION_COUNT,
    .state_size = sizeof(Memetic),
    .needs_bits = true,
    .tells_parents = true,
    .create = create,
    .tell = tell,
    .save = save,
    .load = load,
    .destroy = destroy,
};
