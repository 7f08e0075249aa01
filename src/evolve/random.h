// SPDX-License-Identifier: GPL-3.0-or-later
// The random numbers of evolution: each decision has a stream of its own, named by seed, run,
// generation, individual and use, so that nothing depends on the order in which decisions are made.
#pragma once

#include "evolve/algorithm.h"

typedef enum EvolveUse {
    USE_START,
    USE_MATING,
    USE_MUTATION,
    USE_ARCHIVE,
    USE_LOCAL_SEARCH,
    USE_DIFFERENCE,
    USE_SAMPLE,
    USE_MEETING,
    USE_CLONING,
    USE_RESCUE,
    EVOLVE_USE_CALLER = 128, // from here to 255: the caller's own, such as drawing positions
} EvolveUse;

// The stream of one decision; `use` below 256, `run` below EVOLVE_RUNS_MAX.
Rng evolve_rng(uint64_t seed, uint32_t run, uint32_t generation, uint32_t individual, unsigned use);
// The same, for an algorithm at work.
Rng evolve_run_rng(const EvolveRun *run, size_t individual, EvolveUse use);
// A normal deviate. Through the maths library, so the same on one kind of machine only.
double random_normal(Rng *rng);
