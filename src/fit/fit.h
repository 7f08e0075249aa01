// SPDX-License-Identifier: GPL-3.0-or-later
// Fitting coefficients to positions by their slope, as engine authors do it (Texel tuning): the
// round that is best on positions not learned from is kept. Where the sets came from does not
// matter.
#pragma once

#include "fitness/linear/linear_slope.h"

// What coefficients are worth: mean losses, `held_out` NAN where nothing is held out.
typedef struct FitRound {
    unsigned number; // 0: the start
    double training, held_out;
    double pull; // that of the fit
} FitRound;

// Distances from the centre of a pull are measured in pawns.
enum { FIT_PULL_UNIT = 100 };

typedef struct FitConfig {
    LinearLoss loss;
    const double *low, *high; // the box, one of each per coefficient; equal where one is fixed
    double pull; // how much loss it costs to be 100 units from the centre, for each coefficient
    const double *centre; // NULL: the start
    double rate;          // the share of its box that a coefficient moves in a round, at first
    unsigned rounds;
    unsigned patience; // rounds without a better one before it ends; 0: it never ends early
    // Called after each round; may be NULL.
    void (*observe)(void *context, const FitRound *round);
    void *context;
} FitConfig;

typedef struct FitResult {
    FitRound start, best;
    FitRound whole;  // the best, rounded to whole units
    unsigned rounds; // gone through
    bool is_early;   // patience was over
} FitResult;

// Improves the coefficients in place: they become those of the best round, rounded. The best is the
// one of least loss on `held_out`; on the training set where that is empty.
MUST_CHECK Status fit_coefficients(const FitConfig *config, const LinearSet *training,
                                   const LinearSet *held_out, DistPool *pool, double *coefficients,
                                   FitResult *result);

// The K that makes the results likeliest: of the scores that coefficients give, targets being
// results, by the loss's shape; and of scores as they are. ERR_ARG where results do not follow the
// scores.
MUST_CHECK Status fit_k(const LinearSet *set, LinearShape shape, const double *coefficients,
                        DistPool *pool, double *k);
MUST_CHECK Status fit_k_of_scores(const float *scores, const float *results, size_t count,
                                  double *k);

// How scores compare with where they should be, in words that need no loss.
typedef struct FitErrors {
    double absolute;            // mean absolute distance from a mentor's scores, in centipawns
    size_t decided, recognized; // games that were won, and scores on the winner's side
    size_t moves, found;        // moves that were played, and those that are chosen
} FitErrors;

// `scores` and `results` may be NULL where there are none.
MUST_CHECK Status fit_errors(const LinearSet *set, const double *coefficients, const float *scores,
                             const float *results, DistPool *pool, FitErrors *errors);
