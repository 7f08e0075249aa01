// SPDX-License-Identifier: GPL-3.0-or-later
// What both organisms of a clone make of positions: what they choose, and what they expect.
#pragma once

#include "players/clone.h"

typedef struct CloneSeen {
    Move chosen[MODEL_NB];
    bool is_hit[MODEL_NB];
    float log_likelihood[MODEL_NB];
    float expected[TRAIT_NB]; // of the generic organism
    unsigned traits;          // of the move that was played
    Phase phase;
} CloneSeen;

// Chooses the examples of a verdict whose findings have been judged (clone_examples.c): of kinds
// that stand and, where the organisms themselves differ, of that.
void clone_choose_examples(const CloneSet *person, const CloneSeen *seen, bool organisms_differ,
                           CloneVerdict *verdict);

// Looks at all positions of a set; the caller frees what was seen, also on failure.
MUST_CHECK Status clone_look(const CloneJudging *judging, const CloneSet *set, DistPool *pool,
                             CloneSeen **out);
