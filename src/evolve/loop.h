// SPDX-License-Identifier: GPL-3.0-or-later
// The generation loop, which exists once: ask, judge the batch, tell, observe, keep, stop.
#pragma once

#include "evolve/evolve.h"

#include <stdatomic.h>

// What a generation looks like in a few numbers.
typedef struct EvolveStats {
    uint32_t generation;
    uint64_t evaluations; // up to and with this generation; games where games are played
    size_t count;         // organisms of this generation
    bool has_scores;      // false for algorithms that learn from games
    int64_t best, worst;
    double mean, median;
    uint64_t draws, plies, games; // of this generation, where games are played
    bool has_lineage;
    EvolveLineage lineage;
    bool has_parents; // of its best
    EvolveParents parents;
    double diversity; // standard deviation over the size of the box, mean of all free parameters
    const double *best_parameters; // of this generation's best; borrowed
} EvolveStats;

// What the loop calls; each gets `context`. A call that fails ends the loop with its status.
typedef struct EvolveLoop {
    void *context;
    // Scores of a whole batch, higher is better; for algorithms that ask for scores.
    Status (*evaluate)(void *context, const EvolveBatch *batch, int64_t *scores);
    // Results of meetings between organisms of the batch; for algorithms that ask for games.
    Status (*play)(void *context, const EvolveBatch *batch, const EvolveMeeting *meetings,
                   size_t count, EvolveResult *results);
    // After each generation; may be NULL.
    Status (*observe)(void *context, const EvolveStats *stats);
    // Every so many generations and at the end; may be NULL.
    Status (*checkpoint)(void *context, const Evolver *evolver);
    uint32_t checkpoint_every; // 0: at the end only
    const atomic_bool *stop;   // when it turns true the loop ends after the generation; may be NULL
    uint32_t until; // the loop ends before this generation; 0: only where the evolver does
} EvolveLoop;

// Runs until the evolver says that it is over, `stop` is set or `until` is
// reached. `reason` (may be NULL) is why.
MUST_CHECK Status evolve_run(Evolver *evolver, const EvolveLoop *loop, const char **reason);

// The same step by step, for whoever judges the batches of several evolvers at once. Why the loop
// would end now, NULL where it goes on; and a generation whose batch was judged, which ends as one
// of evolve_run does. For algorithms that ask for scores.
const char *evolve_reason(Evolver *evolver, const EvolveLoop *loop);
MUST_CHECK Status evolve_told(Evolver *evolver, const EvolveLoop *loop, const int64_t *scores);
