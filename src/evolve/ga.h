// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm on bit strings, as a part that other algorithms can be built on.
#pragma once

#include "evolve/algorithm.h"
#include "evolve/coding.h"
#include "evolve/crossover.h"
#include "evolve/mutation.h"
#include "evolve/selection.h"
#include "evolve/survival.h"

// Options in the order of GA_OPTIONS, which follow the common ones.
enum {
    GA_SELECTION = OPTIONS_COMMON,
    GA_SCALING,
    GA_RANK_SLOPE,
    GA_CROSSOVER,
    GA_CROSSOVER_RATE,
    GA_MUTATION_RATE,
    GA_SURVIVAL,
    GA_ELITES,
    GA_OPTION_COUNT,
};

// clang-format off
#define GA_OPTIONS \
    {"selection", EVOLVE_CHOICE, 0, SELECTION_HALF, SELECTION_PROPORTIONAL, "who mates how often", \
     selection_names}, \
    {"scaling", EVOLVE_CHOICE, 0, SCALING_SQUARE, SCALING_SHIFT, \
     "how a score becomes a share of proportional selection", scaling_names}, \
    {"rank-slope", EVOLVE_FRACTION, 1, 2, 1.8, "share of the best over the mean share, for rank", NULL}, \
    {"crossover", EVOLVE_CHOICE, 0, CROSSOVER_UNIFORM, CROSSOVER_SINGLE_POINT, "how two become two others", \
     crossover_names}, \
    {"crossover-rate", EVOLVE_FRACTION, 0, 1, 0.75, "chance of crossover, for each pair", NULL}, \
    {"mutation-rate", EVOLVE_FRACTION, 0, 1, 0.002, "chance to flip, for each bit", NULL}, \
    {"survival", EVOLVE_CHOICE, 0, SURVIVAL_REPLICATE_BEST, SURVIVAL_REPLICATE_BEST, \
     "who enters the next generation unchanged (replicate-best: and the worst does not mate)", survival_names}, \
    {"elites", EVOLVE_WHOLE, 1, 1000000, 1, "how many survive by elitism", NULL}
// clang-format on

typedef struct Ga {
    size_t population;
    BitCode code;
    FlipTable flips;
    uint64_t *bits, *next; // rows of code.words
    double *parameters;    // what the bits stand for; rows of code.count
    double *shares;
} Ga;

// The random start. `rows` is how many organisms `parameters` has room for, at least the
// population.
MUST_CHECK Status ga_open(Ga *ga, const EvolveRun *run, size_t rows);
void ga_close(Ga *ga);
// Breeds the next generation from one score per organism.
MUST_CHECK Status ga_breed(Ga *ga, const EvolveRun *run, const int64_t *scores);
// Puts an organism in the place of another.
void ga_write(Ga *ga, size_t place, const double *parameters);
void ga_save(const Ga *ga, Str *out);
void ga_load(Ga *ga, ByteReader *in);
