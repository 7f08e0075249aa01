// SPDX-License-Identifier: GPL-3.0-or-later
// What a fitness function provides. A new one is a file with a FitnessKind, and a line in
// settings/fitness.def.
#pragma once

#include "dist/parts.h"
#include "evolve/random.h"
#include "fitness/linear/coefficient_header.h"
#include "fitness/linear/consensus.h"
#include "fitness/memo.h"
#include "fitness/problem.h"
#include "settings/space.h"
#include "settings/start.h"

// Random numbers that are drawn here, beside those of the algorithms.
enum { USE_POSITIONS = EVOLVE_USE_CALLER, USE_OPENINGS, USE_OPPONENTS, USE_SPREAD };

// Organisms to score on positions of a set.
typedef struct PositionBatch {
    ProblemSet set;
    const uint32_t *rows; // these positions of the set alone; NULL: all of it
    size_t row_count;
    const int32_t *coefficients; // of each organism problem_terms
    size_t organisms;
} PositionBatch;

// A fitness that judges positions.
typedef struct PositionFitness {
    Status (*score)(Problem *problem, const PositionBatch *batch, int64_t *scores);
    bool takes_scores; // labels are scores: several mentors' too, or those of a foreign family
} PositionFitness;

// A fitness that lets organisms play each other. See problem.h for what each does.
typedef struct GameFitness {
    Status (*evaluate)(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores);
    Status (*play)(Problem *problem, uint32_t run, PlayPurpose purpose, const EvolveBatch *batch,
                   const EvolveMeeting *meetings, size_t count, EvolveResult *results);
    const Encounter *(*met)(Problem *problem, size_t *count);
    Status (*duel)(Problem *problem, const EvolveBatch *players, uint64_t first, size_t pairs,
                   DuelScore *score);
    size_t (*duel_pairs)(const Problem *problem);
    size_t (*playoff_openings)(const Problem *problem);
    const double *(*units)(const Problem *problem);
} GameFitness;

typedef struct FitnessKind {
    ProblemGoal goal;
    // Reads the sets whose paths are in problem->files, and fills in their ProblemData.
    Status (*load)(Problem *problem, const RunConfig *config);
    void (*unload)(Problem *problem); // NULL where nothing is kept in problem->state
    // Bytes of its data that are on disk, for memory has no room for them. May be NULL.
    uint64_t (*stored)(const Problem *problem);
    const PositionFitness *positions; // one of these two; the other is NULL
    const GameFitness *games;
} FitnessKind;

// The files of a set: one, or one for each mentor.
typedef struct SetFiles {
    Str paths[MENTORS_MAX];
    size_t count;
} SetFiles;

// What is known of a set once it was read.
typedef struct ProblemData {
    size_t size;   // positions
    uint64_t hash; // of all that scores on it depend on
    Str about;     // what became of its lines
} ProblemData;

struct Problem {
    const FitnessKind *kind;
    void *state; // of the kind
    DistPool *pool;
    const Family *family;
    CoefficientHeader *header; // of a foreign family; else NULL
    FamilySpace space;
    uint64_t seed;
    StartOrganisms starts; // those the user has, where a kind takes several
    size_t sample_size;    // 0: all positions in every generation; 1 for games
    SetFiles files[SET_NB];
    ProblemData data[SET_NB];
    size_t answers;        // how many errors of a position a score adds up: 1, or all mentors'
    bool cannot_divide;    // scores of parts of a set do not add up to the score of the whole
    uint32_t *rows;        // of the training set, shuffled for each generation
    int32_t *coefficients; // of a batch
    size_t coefficient_capacity;
    Memo *memo;         // NULL where every generation has positions of its own
    DistRemote *remote; // other ranks that judge with us; NULL where there are none
    DistPace pace;
};

// problem_create with a fitness function that need not be in the table.
MUST_CHECK Status fitness_create(Problem **out, const FitnessKind *kind, const RunConfig *config,
                                 DistPool *pool);
// The evaluation of organisms that are searches.
MUST_CHECK Status problem_load_evaluation(const RunConfig *config, Weights *out);
// Coefficients of an organism: the family's, and the tempo's where it is evolved.
size_t problem_terms(const Problem *problem);

// Maps organisms (with `rows`, those alone) to coefficients: the family's, then the tempo's. Valid
// until the next call.
const int32_t *problem_expand(Problem *problem, const double *parameters, const uint32_t *rows,
                              size_t count);

// What organisms are judged on: all of the training set, or the sample of a generation.
typedef struct ProblemSample {
    bool is_all;
    uint32_t run, generation;
} ProblemSample;

size_t problem_sample_positions(const Problem *problem, const ProblemSample *sample);
// Draws the sample, or lists all positions, into problem->rows.
void problem_find_rows(Problem *problem, const ProblemSample *sample);

// Has the same problem made on other ranks, if there are any. Then, when it is made here, waits for
// them.
MUST_CHECK Status problem_ranks_open(Problem *problem, const RunConfig *config);
MUST_CHECK Status problem_ranks_wait(Problem *problem);
void problem_ranks_close(Problem *problem);
// Scores of organisms on training positions, by all ranks.
MUST_CHECK Status problem_ranks_score(Problem *problem, const ProblemSample *sample,
                                      const int32_t *coefficients, size_t organisms,
                                      int64_t *scores);
