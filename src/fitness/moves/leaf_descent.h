// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients from very many positions: find the leaves that decide, go down their slope, find
// the leaves anew, and so on for some rounds.
#pragma once

#include "fitness/gradient/surrogate.h"
#include "fitness/moves/leaves.h"

// What the coefficients are worth before the first round, and after each.
typedef struct LeafRound {
    uint64_t training_hits, validation_hits;
} LeafRound;

typedef struct LeafDescent {
    LeavesConfig leaves;
    SurrogateConfig steps; // of each round; the box is of whole numbers
    unsigned rounds;
    const PlayedSet *training;
    const PlayedSet *validation; // to choose the round by; an empty one: the training set does
    unsigned patience; // rounds without a better one before it ends; 0: it never ends early
    // Told of each round; NULL: nobody is.
    void (*observe)(void *context, unsigned number, const LeafRound *round);
    void *context;
} LeafDescent;

// Improves the coefficients in place: they become those of the best round, rounded. `rounds` has
// room for one more than there are rounds; `best` becomes the one taken, 0 for the start.
MUST_CHECK Status leaf_descent(const LeafDescent *descent, DistPool *pool, double *coefficients,
                               LeafRound *rounds, unsigned *best);
