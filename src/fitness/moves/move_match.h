// SPDX-License-Identifier: GPL-3.0-or-later
// How often weights, or an engine that was asked, choose the move that was played: in all, by phase
// and by kind of move.
#pragma once

#include "chess/phase.h"
#include "dist/pool.h"
#include "eval/weights.h"
#include "fitness/moves/forest_rules.h"
#include "fitness/moves/played_set.h"

typedef enum MoveClass {
    CLASS_CAPTURE, // and promotions
    CLASS_KING,    // quiet, castling too
    CLASS_PAWN,
    CLASS_PIECE,
    CLASS_NB,
} MoveClass;

typedef struct MatchCount {
    uint64_t positions, hits;
} MatchCount;

typedef struct MoveMatch {
    MatchCount all, phases[PHASE_NB], classes[CLASS_NB];
    MatchCount shared, unshared; // positions that occur in another set too, and the others
    uint64_t ties;    // positions in which the played move is as good as the best, and not alone
    double mean_rank; // of the played move; NaN where it is not known
} MoveMatch;

MoveClass move_class(const Position *pos, Move move);
// What a class is called: "capture".
extern const char *const move_class_names[CLASS_NB];

MUST_CHECK Status move_match_weights(const PlayedSet *set, const Weights *weights,
                                     const ForestRules *rules, DistPool *pool, MoveMatch *out);
// The moves an engine predicted; positions without one are left out.
void move_match_predictions(const PlayedSet *set, MoveMatch *out);
// A share in percent, and half the width of its 95% confidence interval (Wilson's, at its widest).
double move_match_rate(const MatchCount *count);
double move_match_half_width(const MatchCount *count);
