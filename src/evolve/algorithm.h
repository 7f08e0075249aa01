// SPDX-License-Identifier: GPL-3.0-or-later
// What an algorithm is: a table of options, a struct for its state, and a few functions over it.
// The evolver allocates, frees and saves the state and keeps the best organism; algorithms never
// loop, log, judge or read files.
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
    const double *start, *units, *paces; // as in EvolveSetup; NULL except in `create`
    size_t start_count;
} EvolveRun;

// What the state of every algorithm begins with. The evolver sets it before `create`.
typedef struct Population {
    size_t size, width;     // of generation 0; parameters of an organism
    double *rows;           // the organisms to judge
    size_t count;           // of them; `size` unless the algorithm says otherwise
    EvolveParents *parents; // of the first `size`; NULL where the algorithm does not tell
} Population;

// A part of the state that the evolver looks after: it allocates and frees an array, and saves and
// loads what is kept, in the order of the algorithm's table.
typedef enum FieldCount { COUNT_MEMBERS, COUNT_PARAMETERS, COUNT_ALL_PARAMETERS } FieldCount;
typedef enum FieldKept {
    NOT_KEPT,
    KEPT_ORGANISMS, // double, each within its box
    KEPT_DOUBLES,
    KEPT_SCORES, // int64_t
    KEPT_FLAG,   // a bool, no array
    KEPT_SIZE,   // a size_t, no array
} FieldKept;

typedef struct EvolveField {
    size_t offset, element; // of the field in the state, and its elements' size
    size_t times;           // so many elements
    FieldCount count;       // for each of these
    FieldKept kept;
} EvolveField;

// Rows for a table of fields. FIELD_ARRAY(De, rates, 2, MEMBERS, KEPT_DOUBLES): two doubles for
// each member.
#define FIELD_ARRAY(type, field, times, each, kept)                                                \
    { offsetof(type, field), sizeof *((type *)0)->field, times, COUNT_##each, kept }
#define FIELD_VALUE(type, field, kept)                                                             \
    { offsetof(type, field), 0, 0, COUNT_MEMBERS, kept }

typedef struct EvolveAlgorithm {
    const char *name, *summary;
    const Setting *options; // begins with OPTIONS_FOR_ALL
    size_t option_count;
    // Where options begin that version 0.2 did not have, 0 if none: at their defaults they leave
    // the fingerprint as it was, so that runs from before go on.
    size_t first_later_option;
    size_t state_size; // of a struct that begins with a Population; 0: it is all there is
    const EvolveField *fields;
    size_t field_count;   // 0, and no `create`: the rows of the population, kept
    bool needs_bits;      // works on bit strings, so that the space must have a coding of bits
    bool uses_units;      // steps follow the units of the parameters
    bool takes_one_start; // organisms to begin with, but for the first, are of no use to it
    bool tells_parents;   // fills Population.parents, which the evolver allocates and saves
    bool leaves_boxes;    // the boxes are those of the start: organisms may be any numbers
    // The state of generation 0; NULL: organisms to start from, the others drawn at random.
    Status (*create)(void *state, const EvolveRun *run);
    // Learns from one score per organism and prepares the next generation. NULL if by meetings.
    Status (*tell)(void *state, const EvolveRun *run, const int64_t *scores);
    // The two for algorithms that learn from games, NULL for the others.
    const EvolveMeeting *(*ask_meetings)(void *state, size_t *count);
    Status (*tell_meetings)(void *state, const EvolveRun *run, const EvolveResult *results,
                            bool *generation_over);
    // The organism that counts as the best at the end of a generation of meetings; borrowed.
    const double *(*best)(const void *state);
    bool ends_as_mean; // what comes of a run is the mean of its last population, not the best
    // Where the members come from; false when that is not known. NULL: it is never kept.
    bool (*lineage)(const void *state, EvolveLineage *out);
    // A reason of its own to stop, or NULL.
    const char *(*stop_reason)(const void *state);
    // What the fields do not hold: saved, loaded into a state that was newly created (with what
    // follows from the fields), freed. Each may be NULL.
    void (*save)(const void *state, Str *out);
    Status (*load)(void *state, const EvolveRun *run, ByteReader *in);
    void (*destroy)(void *state);
} EvolveAlgorithm;

// All there are. A new one is its file and its name here.
#define EVOLVE_ALGORITHMS(ALGORITHM)                                                               \
    ALGORITHM(ga)                                                                                  \
    ALGORITHM(memetic)                                                                             \
    ALGORITHM(halves)                                                                              \
    ALGORITHM(de)                                                                                  \
    ALGORITHM(cmaes)                                                                               \
    ALGORITHM(cec2001)                                                                             \
    ALGORITHM(spsa)                                                                                \
    ALGORITHM(surface)

#define DECLARE(name) extern const EvolveAlgorithm evolve_##name;
EVOLVE_ALGORITHMS(DECLARE)
#undef DECLARE

// The same as a list, NULL at the end.
extern const EvolveAlgorithm *const evolve_algorithms[];
// The algorithm of that name, or NULL.
const EvolveAlgorithm *evolve_find(const char *name);

// For algorithms: fills `count` rows with the first generation, first the organisms to start from,
// moved into their boxes, then others drawn evenly.
void population_start(const EvolveRun *run, double *parameters, size_t count);
// Whether every organism is within its box (any number where the algorithm leaves boxes).
bool population_is_valid(const Population *population, const EvolveSpace *space, bool leaves_boxes);
// Reads organisms; in->failed when one is outside its box.
void population_load(const EvolveSpace *space, ByteReader *in, double *parameters, size_t count);
// Zeroed memory for count times size bytes, to be freed with free(), or NULL with a message of
// ERR_LIMIT: return that. For sizes that a user chose.
void *population_alloc(size_t count, size_t size);
