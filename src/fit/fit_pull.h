// SPDX-License-Identifier: GPL-3.0-or-later
// How strongly weights are pulled towards their start, chosen on positions that were held out; and
// what the data, beside that pull, say about each weight.
#pragma once

#include "fit/fit.h"
#include "fitness/linear/linear_data.h"

// One strength that was tried.
typedef struct FitTrial {
    double pull;          // INFINITY: the start itself
    double held_out;      // mean loss
    double behind, error; // how much more than the least that is, and how sure: one deviation
} FitTrial;

enum { FIT_TRIALS_MAX = 7 };

typedef struct FitPull {
    FitTrial trials[FIT_TRIALS_MAX]; // from the strongest pull to the weakest
    size_t count, chosen;
} FitPull;

// As fit_coefficients of results, with the strongest pull that is no worse on the held-out games
// than the best of all by more than one standard error. The start is one of the trials.
MUST_CHECK Status fit_with_pull(const FitConfig *config, const LinearData *training,
                                const LinearData *held_out, DistPool *pool, double *coefficients,
                                FitResult *result, FitPull *out);

// What the data know of a weight.
typedef struct FitCertainty {
    double deviation; // standard error, with the pull; infinite where nothing tells
    double share;     // of what is known that comes from the data rather than from the pull: 0 to 1
} FitCertainty;

// Of each coefficient, counting each of `games` as one piece of evidence. Weights that are fixed
// have deviation 0 and share 1.
MUST_CHECK Status fit_certainty(const FitConfig *config, const LinearSet *set, size_t games,
                                const double *coefficients, DistPool *pool, FitCertainty *out);
