// SPDX-License-Identifier: GPL-3.0-or-later
// How often two organisms choose the moves of held-out games, how likely they find them, and which
// kinds of moves are made more often than the second one expects.
#pragma once

#include "chess/phase.h"
#include "dist/pool.h"
#include "eval/weights.h"
#include "fitness/moves/forest_rules.h"
#include "players/chance.h"
#include "players/clone_data.h"
#include "players/move_traits.h"

// The organism that was learned from the person, and the one learned from others.
typedef enum CloneModel { MODEL_CLONE, MODEL_GENERIC, MODEL_NB } CloneModel;

typedef struct CloneJudging {
    const Weights *models[MODEL_NB]; // of one family
    ForestRules rules;
    double temperature_cp;
    uint64_t seed;
} CloneJudging;

// A figure of both models, and whether chance explains the difference.
typedef struct CloneFigure {
    uint64_t positions;
    GroupedMean models[MODEL_NB], difference;
    double chance; // by flipping the signs of games' differences
} CloneFigure;

// Moves of one kind.
typedef struct CloneKind {
    CloneFigure match;     // where such a move was played
    GroupedMean made;      // the share of moves that are such
    GroupedMean surplus;   // made, less what the generic organism's softmax expects
    GroupedMean of_others; // the same surplus of others
    double chance;         // that the two are the same
} CloneKind;

typedef struct CloneVerdict {
    CloneFigure match;      // shares of moves chosen
    CloneFigure likelihood; // mean logarithms of the probability of the moves played
    CloneFigure phases[PHASE_NB];
    CloneKind kinds[TRAIT_NB];
} CloneVerdict;

// The same for any number of threads.
MUST_CHECK Status clone_judge(const CloneJudging *judging, const CloneSet *person,
                              const CloneSet *others, DistPool *pool, CloneVerdict *out);
