// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of fitness provides. A new one is a file with such a table, and a name in problem.c
// and run_config.c.
#pragma once

#include "dist/parts.h"
#include "evolve/random.h"
#include "fitness/linear/coefficient_header.h"
#include "fitness/memo.h"
#include "fitness/problem.h"
#include "optimum/limit.h"
#include "settings/space.h"
#include "settings/start.h"

// Random numbers that are drawn here, beside those of the algorithms.
enum { USE_POSITIONS = EVOLVE_USE_CALLER, USE_OPENINGS, USE_OPPONENTS };

typedef struct ProblemKind {
    ProblemGoal goal;
    // Reads the sets named in the settings; their paths are in problem->files.
    Status (*load)(Problem *problem, const RunConfig *config);
    void (*unload)(Problem *problem);
    size_t (*size)(const Problem *problem, ProblemSet set);
    // Scores of organisms, one coefficient per count each, on a set; on these rows of it alone,
    // where `rows` is not NULL.
    Status (*score)(Problem *problem, ProblemSet set, const uint32_t *rows, size_t row_count,
                    const int32_t *coefficients, size_t organisms, int64_t *scores);
    // In its place, where organisms are judged by each other: scores of a generation, results of
    // meetings, a match, and how long one can be. NULL where they are judged by positions.
    Status (*evaluate)(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores);
    Status (*play)(Problem *problem, uint32_t run, const EvolveBatch *batch,
                   const EvolveMeeting *meetings, size_t count, EvolveResult *results);
    Status (*duel)(Problem *problem, const EvolveBatch *players, uint64_t first, size_t pairs,
                   DuelScore *score);
    size_t (*duel_pairs)(const Problem *problem, size_t opponents);
    // False where the scores of parts of a set do not add up to its score; NULL: they always do.
    bool (*adds_up)(const Problem *problem);
    uint64_t (*hash)(const Problem *problem, ProblemSet set);
    void (*describe)(const Problem *problem, ProblemSet set, Str *out);
    // The least error on the training set; NULL where nobody expects it to be known.
    Status (*limit)(const Problem *problem, Limit *out);
    // Where there are several mentors: what they said, and scores by one of them. NULL elsewhere.
    bool (*mentors)(const Problem *problem, ProblemSet set, MentorsProblem *out);
    Status (*score_by)(Problem *problem, ProblemSet set, size_t mentor, const int32_t *coefficients,
                       size_t organisms, int64_t *scores);
} ProblemKind;

// The files of a set: one, or one for each mentor.
typedef struct SetFiles {
    Str paths[MENTORS_MAX];
    size_t count;
} SetFiles;

struct Problem {
    const ProblemKind *kind;
    void *state; // of the kind
    DistPool *pool;
    const Family *family;
    CoefficientHeader *header; // of a foreign family; else NULL
    FamilySpace space;
    uint64_t seed;
    StartOrganisms starts; // those the user has, where a kind takes several
    size_t sample_size;    // 0: all positions in every generation; 1 for games
    SetFiles files[SET_NB];
    size_t answers;        // how many errors of a position a score adds up: 1, or all mentors'
    uint32_t *rows;        // of the training set, shuffled for each generation
    int32_t *coefficients; // of a batch
    size_t coefficient_capacity;
    Memo *memo;         // NULL where every generation has positions of its own
    DistRemote *remote; // other ranks that judge with us; NULL where there are none
    DistPace pace;
};

extern const ProblemKind problem_mentor, problem_moves, problem_games;

// Coefficients of an organism: the family's, and the tempo's where it is evolved.
size_t problem_terms(const Problem *problem);

// Draws the sample of a generation into `rows`.
void problem_draw(Problem *problem, uint32_t run, uint32_t generation);

// What organisms are judged on: all of the training set, or the sample of a generation, which is
// drawn.
typedef struct ProblemSample {
    bool is_all;
    uint32_t run, generation;
} ProblemSample;

// Has the same problem made on other ranks, if there are any. Then, when it is made here, waits for
// them.
MUST_CHECK Status problem_ranks_open(Problem *problem, const RunConfig *config);
MUST_CHECK Status problem_ranks_wait(Problem *problem);
void problem_ranks_close(Problem *problem);
// Scores of organisms on training positions, by all ranks.
MUST_CHECK Status problem_ranks_score(Problem *problem, const ProblemSample *sample,
                                      const int32_t *coefficients, size_t organisms,
                                      int64_t *scores);
