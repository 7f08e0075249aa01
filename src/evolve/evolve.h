// SPDX-License-Identifier: GPL-3.0-or-later
// Evolution by asking and telling: an evolver names the organisms it wants judged, the caller
// judges them and tells the scores, and so on. Knows nothing of what the parameters mean.
// Everything here is single-threaded and cheap; the caller may judge on as many threads as it likes
// without changing any result.
#pragma once

#include "base/error.h"
#include "base/rng.h"
#include "base/str.h"
#include "evolve/options.h"
#include "evolve/space.h"

enum { EVOLVE_RUNS_MAX = 1 << 24 };

// What to evolve, how, and from which random numbers.
typedef struct EvolveSetup {
    EvolveSpace space;
    EvolveConfig config;
    uint64_t seed;
    uint32_t run; // below EVOLVE_RUNS_MAX; runs of one seed share no random numbers
    // Each generation is judged on other data than the last: scores are compared within one
    // generation only, and the best organism is that of the last generation.
    bool fresh_scores;
    // Organisms to begin with, `start_count` times `space.count` parameters, borrowed for the
    // creation only; the rest of the first generation is drawn at random. May be NULL.
    const double *start;
    size_t start_count;
    // Of each parameter, a change that matters about as much as one unit of any other; borrowed for
    // the creation only. NULL: not known.
    const double *units;
    // Of each parameter, how many times as fast as others it follows what is learned; likewise.
    // NULL: all alike.
    const double *paces;
} EvolveSetup;

// Organisms to judge, borrowed from the evolver until it is told their scores. They are within the
// boxes of the space, but for those of an algorithm that says it leaves them. Organism i has
// parameters[i * width] and the width - 1 after it.
typedef struct EvolveBatch {
    const double *parameters;
    size_t count, width;
    uint32_t generation; // generation 0 is the random start
} EvolveBatch;

// Two organisms of the batch that should play each other.
typedef struct EvolveMeeting {
    size_t first, second;
    unsigned games;
} EvolveMeeting;

// What came of a meeting, as the first organism sees it.
typedef struct EvolveResult {
    unsigned wins, draws, losses;
    unsigned plies; // of all its games, for statistics
} EvolveResult;

// Where the members of a population come from.
typedef struct EvolveLineage {
    size_t unchanged;       // members of generation 0 as they were
    size_t from_start;      // descendants of the organisms to begin with, and these themselves
    size_t start_unchanged; // of these, the unchanged ones
} EvolveLineage;

// Whom an organism comes from: places in the generation before, and their scores there. One that
// was mutated has no father; one that survived is its own mother.
#define EVOLVE_NO_PARENT UINT32_MAX
typedef struct EvolveParents {
    uint32_t mother, father;
    int64_t mother_score, father_score;
    bool is_survivor;
} EvolveParents;

typedef struct Evolver Evolver;

// A new evolver in generation 0; ERR_ARG when the setup makes no sense.
MUST_CHECK Status evolver_create(Evolver **out, const EvolveSetup *setup);
void evolver_destroy(Evolver *evolver);
CLEANUP_AT(Evolver *, evolver_destroy)

// The organisms to judge; the same ones until their scores are told.
EvolveBatch evolver_ask(Evolver *evolver);
// One score per organism of the batch; higher is better. Ends the generation. ERR_ARG when the
// scores do not suit the settings (a negative score where shares are to be proportional to it).
MUST_CHECK Status evolver_tell(Evolver *evolver, const int64_t *scores);

// True for algorithms that learn from games: then these two take the place of evolver_tell. The
// meetings are independent of each other: they may be played at the same time.
bool evolver_wants_meetings(const Evolver *evolver);
// True where what comes of a run is the mean of its last population.
bool evolver_ends_as_mean(const Evolver *evolver);
// The meetings of the batch that evolver_ask returns, borrowed until their results are told.
const EvolveMeeting *evolver_ask_meetings(Evolver *evolver, size_t *count);
// One result per meeting. `generation_over` tells whether this was the generation's last batch.
MUST_CHECK Status evolver_tell_meetings(Evolver *evolver, const EvolveResult *results,
                                        bool *generation_over);

// The best organism so far (`space.count` parameters, borrowed) and its score; with fresh scores
// the best of the last generation; without scores the one that won its way to the end, at first the
// one to start from. NULL before any score was told.
const double *evolver_best(const Evolver *evolver, int64_t *score);
// Where the members of the batch come from; false where the algorithm, or a checkpoint of an
// earlier version, does not keep it.
bool evolver_lineage(const Evolver *evolver, EvolveLineage *out);
// Whom a member of the batch comes from; false where nobody knows: it was drawn at random, found by
// a search, or the algorithm does not tell.
bool evolver_parents(const Evolver *evolver, size_t place, EvolveParents *out);
// The space it evolves in; borrowed.
const EvolveSpace *evolver_space(const Evolver *evolver);
// The generation that will be told next, and how many organisms were judged (games played) so far.
uint32_t evolver_generation(const Evolver *evolver);
uint64_t evolver_evaluations(const Evolver *evolver);
// Why the run is over ("300 generations done"), or NULL while it is not. Borrowed.
const char *evolver_stop_reason(Evolver *evolver);

// Appends all that is needed to go on later: same bytes on every machine.
void evolver_save(const Evolver *evolver, Str *out);
// Goes on from saved bytes, exactly as if there had been no break; the setup must be that of the
// saved run (the numbers of generations and evaluations may differ). ERR_PARSE when the bytes are
// damaged, ERR_ARG when they belong to another setup.
MUST_CHECK Status evolver_load(Evolver **out, const EvolveSetup *setup, StrView bytes);
