// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of fitness provides. A new one is a file with such a table, and a name in problem.c
// and run_config.c.
#pragma once

#include "study/memo.h"
#include "study/problem.h"
#include "study/space.h"

typedef struct ProblemKind {
    ProblemGoal goal;
    // Reads the sets named in the settings; their paths are in problem->names.
    Status (*load)(Problem *problem, const RunConfig *config);
    void (*unload)(Problem *problem);
    size_t (*size)(const Problem *problem, ProblemSet set);
    // Scores of organisms, one coefficient per count each, on a set; on these rows of it alone,
    // where `rows` is not NULL.
    Status (*score)(Problem *problem, ProblemSet set, const uint32_t *rows, size_t row_count,
                    const int32_t *coefficients, size_t organisms, int64_t *scores);
    uint64_t (*hash)(const Problem *problem, ProblemSet set);
    void (*describe)(const Problem *problem, ProblemSet set, Str *out);
    // NULL where the least error is not known.
    const CountMatrix *(*matrix)(const Problem *problem, ProblemSet set);
} ProblemKind;

struct Problem {
    const ProblemKind *kind;
    void *state; // of the kind
    DistPool *pool;
    const Family *family;
    FamilySpace space;
    uint64_t seed;
    size_t sample_size;    // 0: all positions in every generation
    Str names[SET_NB];     // where the sets were found; empty for none
    uint32_t *rows;        // of the training set, shuffled for each generation
    int32_t *coefficients; // of a batch
    size_t coefficient_capacity;
    Memo *memo; // NULL where every generation has positions of its own
};

extern const ProblemKind problem_mentor, problem_moves;

// Coefficients of an organism: the family's, and the tempo's where it is evolved.
size_t problem_terms(const Problem *problem);
