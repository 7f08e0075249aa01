// SPDX-License-Identifier: GPL-3.0-or-later
// What an algorithm is: a table of functions over a state of its own. Algorithms never loop, log,
// judge or read files.
#pragma once

#include "base/bytes.h"
#include "evolve/evolve.h"

// What an algorithm may know of the run around it.
typedef struct EvolveRun {
    const EvolveSpace *space;
    const double *options; // values in the order of the algorithm's table
    uint64_t seed;
    uint32_t run, generation, generations; // the one at hand, and the last
    bool fresh_scores;
    const double *start; // as in EvolveSetup; NULL except in `create`
    size_t start_count;
} EvolveRun;

typedef struct EvolveAlgorithm {
    const char *name, *summary;
    const EvolveOption *options;
    size_t option_count;
    bool needs_bits;   // works on bit strings, so that the space must have a coding of bits
    bool leaves_boxes; // the boxes are those of the start: organisms may be any numbers
    // The state of generation 0.
    Status (*create)(void **state, const EvolveRun *run);
    // Fills in the organisms: rows of run->space->count, borrowed until `tell`.
    void (*ask)(void *state, const double **parameters, size_t *count);
    // Learns from one score per organism and prepares the next generation. NULL if by meetings.
    Status (*tell)(void *state, const EvolveRun *run, const int64_t *scores);
    // The two for algorithms that learn from games, NULL for the others.
    const EvolveMeeting *(*ask_meetings)(void *state, size_t *count);
    Status (*tell_meetings)(void *state, const EvolveRun *run, const EvolveResult *results,
                            bool *generation_over);
    // The row of the batch that counts as the best at the end of a generation of meetings.
    size_t (*best_row)(const void *state);
    // A reason of its own to stop, or NULL; may be NULL itself.
    const char *(*stop_reason)(const void *state);
    // The state after `tell`, and back into a state that was newly created.
    void (*save)(const void *state, Str *out);
    Status (*load)(void *state, const EvolveRun *run, ByteReader *in);
    void (*destroy)(void *state);
} EvolveAlgorithm;

extern const EvolveAlgorithm evolve_ga, evolve_memetic, evolve_halves, evolve_de, evolve_cmaes,
    evolve_cec2001;

// All there are, NULL at the end.
extern const EvolveAlgorithm *const evolve_algorithms[];
// The algorithm of that name, or NULL.
const EvolveAlgorithm *evolve_find(const char *name);
