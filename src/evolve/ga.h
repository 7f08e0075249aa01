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
    OPTION_CHOICE("selection", "proportional", selection_names, "who mates how often"), \
    OPTION_CHOICE("scaling", "shift", scaling_names, "how a score becomes a share of proportional selection"), \
    OPTION_REAL("rank-slope", 1, 2, "1.8", "share of the best over the mean share, for rank"), \
    OPTION_CHOICE("crossover", "single-point", crossover_names, "how two become two others"), \
    OPTION_REAL("crossover-rate", 0, 1, "0.75", "chance of crossover, for each pair"), \
    OPTION_REAL("mutation-rate", 0, 1, "0.002", "chance to flip, for each bit"), \
    OPTION_CHOICE("survival", "replicate-best", survival_names, \
                  "who enters the next generation unchanged (replicate-best: and the worst does not mate)"), \
    OPTION_WHOLE("elites", 1, 1000000, "1", "how many survive by elitism")
// clang-format on

typedef struct Ga {
    Population organisms; // what the bits stand for
    BitCode code;
    FlipTable flips;
    uint64_t *bits, *next; // rows of code.words
    double *shares;
} Ga;

// The random start, in a Ga whose organisms the evolver has counted. `rows` is how many of them
// there is room for, at least the population.
MUST_CHECK Status ga_open(Ga *ga, const EvolveRun *run, size_t rows);
void ga_close(Ga *ga);
// Breeds the next generation from one score per organism.
MUST_CHECK Status ga_breed(Ga *ga, const EvolveRun *run, const int64_t *scores);
// Puts an organism in the place of another.
void ga_write(Ga *ga, size_t place, const double *parameters);
void ga_save(const Ga *ga, Str *out);
void ga_load(Ga *ga, ByteReader *in);
