// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/ga.h"

#include "base/mem.h"
#include "evolve/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint64_t *row(const Ga *ga, uint64_t *bits, size_t place) {
    return bits + place * ga->code.words;
}

static void decode_all(Ga *ga) {
    for (size_t i = 0; i < ga->organisms.size; i++)
        coding_decode(&ga->code, row(ga, ga->bits, i), ga->organisms.rows + i * ga->code.count);
}

Status ga_open(Ga *ga, const EvolveRun *run, size_t rows) {
    const size_t population = ga->organisms.size;
    ga->code = coding_create(run->space);
    ga->flips = mutation_flip_table(run->options[GA_MUTATION_RATE], ga->code.length);
    // One more than there are, for the second child of the last pair.
    ga->bits = population_alloc(population + 1, ga->code.words * sizeof *ga->bits);
    ga->next = population_alloc(population + 1, ga->code.words * sizeof *ga->next);
    ga->organisms.rows = population_alloc(rows, ga->code.count * sizeof *ga->organisms.rows);
    ga->shares = population_alloc(population, sizeof *ga->shares);
    if (ga->bits == NULL || ga->next == NULL || ga->organisms.rows == NULL || ga->shares == NULL)
        return ERR_LIMIT;
    for (size_t i = 0; i < population; i++) {
        Rng rng = evolve_run_rng(run, i, USE_START);
        if (i < run->start_count)
            coding_encode(&ga->code, run->start + i * ga->code.count, row(ga, ga->bits, i));
        else
            coding_randomize(&ga->code, &rng, row(ga, ga->bits, i));
    }
    decode_all(ga);
    return OK;
}

void ga_close(Ga *ga) {
    coding_free(&ga->code);
    mutation_flip_table_free(&ga->flips);
    free(ga->bits);
    free(ga->next);
    free(ga->organisms.rows);
    free(ga->shares);
}

static Status build_wheel(Ga *ga, const EvolveRun *run, const int64_t *scores) {
    switch ((Selection)run->options[GA_SELECTION]) {
    case SELECTION_PROPORTIONAL:
        TRY(selection_proportional((Scaling)run->options[GA_SCALING], scores, ga->organisms.size,
                                   ga->shares));
        break;
    case SELECTION_RANK:
        selection_rank(run->options[GA_RANK_SLOPE], scores, ga->organisms.size, ga->shares);
        break;
    case SELECTION_HALF:
        selection_half(scores, ga->organisms.size, ga->shares);
        break;
    }
    if (run->options[GA_SURVIVAL] == SURVIVAL_REPLICATE_BEST)
        ga->shares[survival_worst(scores, ga->organisms.size)] = 0;
    selection_wheel_build(ga->shares, ga->organisms.size);
    return OK;
}

// An odd population has a child too many.
static void note_parents(Ga *ga, size_t place, EvolveParents parents) {
    if (place < ga->organisms.size)
        ga->organisms.parents[place] = parents;
}

static void copy_survivor(Ga *ga, const int64_t *scores, size_t place, size_t from) {
    memcpy(row(ga, ga->next, place), row(ga, ga->bits, from), ga->code.words * sizeof *ga->bits);
    note_parents(ga, place,
                 (EvolveParents){.mother = (uint32_t)from,
                                 .father = EVOLVE_NO_PARENT,
                                 .mother_score = scores[from],
                                 .is_survivor = true});
}

// Copies those who survive unchanged to the front of the next generation: how many they are.
static size_t copy_survivors(Ga *ga, const EvolveRun *run, const int64_t *scores) {
    size_t count = (size_t)run->options[GA_ELITES];
    Survival survival = (Survival)run->options[GA_SURVIVAL];
    if (survival == SURVIVAL_NONE)
        return 0;
    if (survival == SURVIVAL_REPLICATE_BEST || count == 1) {
        copy_survivor(ga, scores, 0, survival_best(scores, ga->organisms.size));
        return 1;
    }
    count = count < ga->organisms.size ? count : ga->organisms.size;
    uint32_t *order = mem_alloc(ga->organisms.size * sizeof *order);
    selection_order(scores, ga->organisms.size, order);
    for (size_t i = 0; i < count; i++)
        copy_survivor(ga, scores, i, order[i]);
    free(order);
    return count;
}

// Fills places `first` and the one after it, which may lie just behind the population.
static void mate(Ga *ga, const EvolveRun *run, const int64_t *scores, size_t first) {
    Rng rng = evolve_run_rng(run, first, USE_MATING);
    size_t mother = selection_wheel_spin(ga->shares, ga->organisms.size, &rng);
    size_t father = selection_wheel_spin(ga->shares, ga->organisms.size, &rng);
    Pair pair = {row(ga, ga->bits, mother), row(ga, ga->bits, father), row(ga, ga->next, first),
                 row(ga, ga->next, first + 1)};
    crossover_pair((Crossover)run->options[GA_CROSSOVER], run->options[GA_CROSSOVER_RATE], &pair,
                   ga->code.length, &rng);
    const EvolveParents parents = {.mother = (uint32_t)mother,
                                   .father = (uint32_t)father,
                                   .mother_score = scores[mother],
                                   .father_score = scores[father]};
    for (size_t i = first; i < first + 2; i++) {
        note_parents(ga, i, parents);
        Rng own = evolve_run_rng(run, i, USE_MUTATION);
        mutation_flip(&ga->flips, &own, row(ga, ga->next, i));
    }
}

Status ga_breed(Ga *ga, const EvolveRun *run, const int64_t *scores) {
    TRY(build_wheel(ga, run, scores));
    for (size_t i = copy_survivors(ga, run, scores); i < ga->organisms.size; i += 2)
        mate(ga, run, scores, i);
    uint64_t *old = ga->bits;
    ga->bits = ga->next;
    ga->next = old;
    decode_all(ga);
    return OK;
}

void ga_write(Ga *ga, size_t place, const double *parameters) {
    coding_encode(&ga->code, parameters, row(ga, ga->bits, place));
    coding_decode(&ga->code, row(ga, ga->bits, place), ga->organisms.rows + place * ga->code.count);
}

void ga_save(const Ga *ga, Str *out) {
    bytes_add_words(out, ga->bits, ga->organisms.size * ga->code.words);
}

void ga_load(Ga *ga, ByteReader *in) {
    bytes_words(in, ga->bits, ga->organisms.size * ga->code.words);
    // Stray bits behind the end of a string would break the promise that they are 0.
    size_t tail = ga->code.length % 64;
    for (size_t i = 0; tail != 0 && i < ga->organisms.size; i++)
        if (row(ga, ga->bits, i)[ga->code.words - 1] << tail != 0)
            in->failed = true;
    decode_all(ga);
}

// --- the algorithm by itself ---

static Status create(void *state, const EvolveRun *run) {
    return ga_open(state, run, (size_t)run->options[OPTION_POPULATION]);
}

static void destroy(void *state) {
    ga_close(state);
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    return ga_breed(state, run, scores);
}

static void save(const void *state, Str *out) {
    ga_save(state, out);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    (void)run;
    ga_load(state, in);
    return OK;
}

static const Setting options[] = {OPTIONS_FOR_ALL(2, "1000", "300"), GA_OPTIONS};
static_assert(sizeof options / sizeof *options == GA_OPTION_COUNT, "one row per option");

const EvolveAlgorithm evolve_ga = {
    .name = "ga",
    .summary = "genetic algorithm on bit strings (GECCO 2008, GECCO 2009)",
    .options = options,
    .option_count = GA_OPTION_COUNT,
    .state_size = sizeof(Ga),
    .needs_bits = true,
    .tells_parents = true,
    .create = create,
    .tell = tell,
    .save = save,
    .load = load,
    .destroy = destroy,
};
