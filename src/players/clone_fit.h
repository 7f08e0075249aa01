// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that make the moves of a set likely, without going further from where they start than the
// moves ask for; and how much they vary from one draw of the games to the next.
#pragma once

#include "eval/weights.h"
#include "fitness/moves/leaves.h"
#include "players/clone_data.h"

typedef struct CloneFitConfig {
    const Weights *start;
    ForestRules rules;
    double temperature_cp; // of the softmax
    unsigned rounds;       // leaves are found anew in each
    unsigned steps;        // of each descent
    unsigned runs;         // draws of the games, for the spread
    uint64_t seed;
} CloneFitConfig;

// How far weights are expected to leave the start, in centipawns: what validation chooses from.
enum { CLONE_LEASHES = 5 };
extern const double clone_leashes_cp[CLONE_LEASHES];

typedef struct CloneFit {
    double *values;     // one per weight, before rounding
    double *deviations; // over the draws
    uint64_t hits;      // of the moves learned from, by the rounded weights
} CloneFit;

// Fits both sets in the same way. Leash and losses: `losses` becomes the mean surprise of both on
// games held back from the descent, `*leash` the index of the least. ERR_ARG for a family that is
// not linear in its weights. Same for any number of threads. `out` is to be freed also on failure.
MUST_CHECK Status clone_fit(const CloneFitConfig *config, const CloneSet *const sets[WHO_NB],
                            DistPool *pool, CloneFit out[WHO_NB], double losses[CLONE_LEASHES],
                            unsigned *leash);
void clone_fit_free(CloneFit *fit);

// The fitted values, rounded: members of the start's family.
void clone_fit_weights(const CloneFit *fit, const Weights *start, Weights *out);
