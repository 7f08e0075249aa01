// SPDX-License-Identifier: GPL-3.0-or-later
// Fitting a family to files of positions: read, aimed at what the loss asks for, fitted, measured.
#pragma once

#include "fit/fit_pull.h"
#include "fitness/linear/linear_data.h"
#include "fitness/moves/leaf_descent.h"

typedef enum FitKind {
    FIT_RESULTS,         // cross-entropy between the score's probability and the game's result
    FIT_RESULTS_SQUARED, // the square of their distance
    FIT_MENTOR,          // squared distance from a mentor's score
    FIT_MENTOR_ABSOLUTE, // absolute distance
    FIT_MIX,             // cross-entropy against a mix of the result and the mentor's score
    FIT_MOVES,           // the move that was played is to become likely
} FitKind;

// Names in the order of the enum, NULL at the end.
extern const char *const fit_kind_names[];

// How moves are fitted: in each round the leaves that decide are found, and steps go down their
// slope.
typedef struct FitMoves {
    ForestRules rules;
    SlopeKind slope; // its temperature in centipawns
    unsigned steps;
    size_t max_bytes; // of leaves; 0: no limit
} FitMoves;

typedef struct FitPlan {
    FitKind kind;
    bool through_sigmoid; // a mentor's scores are compared as probabilities
    double lambda;        // of a mix: the result's share
    double k;             // 0: fitted on the start where there are results, else 1
    const char *const *files;
    size_t file_count;
    const char *validation; // a file held out, beside or instead of a share; or NULL
    LinearDataOptions data; // what the loss needs of positions is filled in
    FitConfig fit;          // but for the loss
    bool chooses_pull;      // by what is held out; else it is that of `fit`
    FitMoves moves;
} FitPlan;

// Of the training set and of what was held out; before and after.
typedef struct FitOutcome {
    FitResult result;
    FitErrors training[2], held_out[2];
    size_t training_count, held_out_count;
    size_t training_games, held_out_games; // positions of which no game is known are one each
    FitPull pull;                          // no trials where it was given
    FitCertainty *certainty; // of each coefficient; NULL where the start was kept, and for moves;
                             // owned
    Str data;                // what was read and used, in words; owned
    uint64_t hash;
    double k, mentor_k; // NAN where there is none
} FitOutcome;

// Improves the coefficients in place, to whole units. Fails before anything is fitted where the
// files do not hold what the loss needs.
MUST_CHECK Status fit_positions(const FitPlan *plan, DistPool *pool, double *coefficients,
                                FitOutcome *out);
void fit_outcome_free(FitOutcome *outcome);
// That of moves, which fit_positions calls: losses are shares of moves not found.
MUST_CHECK Status fit_moves(const FitPlan *plan, DistPool *pool, double *coefficients,
                            FitOutcome *out);
