// SPDX-License-Identifier: GPL-3.0-or-later
// A set of weights ready to score positions fast: coefficients, a cache of pawn structures and one
// of whole positions. One thread uses one evaluator.
#pragma once

#include "eval/weights.h"

typedef struct Evaluator Evaluator;

// `caching` off gives the same scores, slower.
Evaluator *evaluator_create(const Weights *weights, bool caching);
void evaluator_destroy(Evaluator *evaluator);
// Takes new weights (of any family) and forgets what was cached.
void evaluator_set_weights(Evaluator *evaluator, const Weights *weights);
const Weights *evaluator_weights(const Evaluator *evaluator);

// Fetches what is cached of a position before it is needed.
void evaluator_prefetch(const Evaluator *evaluator, const Position *pos);
// The score from the side to move's view, in centipawns (see family_centipawns), within
// +-EVAL_LIMIT.
int evaluator_score(Evaluator *evaluator, const Position *pos);
