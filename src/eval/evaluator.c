// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/evaluator.h"

#include "base/mem.h"
#include "eval/pawn_cache.h"

#include <stdlib.h>
#include <string.h>

// A cached score: the key, its lowest 16 bits replaced by the score. The slot's number holds those
// 16 bits, so that the whole key is compared. An empty slot is zero, as no key's other bits are but
// by a chance of 2^-48.
enum { SLOT_BITS = 16, SCORE_BITS = 16, SLOTS = 1 << SLOT_BITS };
#define SCORE_MASK ((1ULL << SCORE_BITS) - 1)

struct Evaluator {
    Weights weights;
    int coefficients[COEFFICIENTS_MAX];
    PawnCache *pawns; // both are NULL without caching, or when memory is short
    uint64_t *scores;
};

Evaluator *evaluator_create(const Weights *weights, bool caching) {
    Evaluator *evaluator = mem_alloc_zero(1, sizeof *evaluator);
    if (caching) {
        evaluator->pawns = pawn_cache_create();
        evaluator->scores = mem_alloc_pages(SLOTS * sizeof *evaluator->scores);
    }
    evaluator_set_weights(evaluator, weights);
    return evaluator;
}

void evaluator_destroy(Evaluator *evaluator) {
    if (evaluator == NULL)
        return;
    weights_free(&evaluator->weights);
    pawn_cache_destroy(evaluator->pawns);
    free(evaluator->scores);
    free(evaluator);
}

void evaluator_set_weights(Evaluator *evaluator, const Weights *weights) {
    Weights copy;
    weights_copy(&copy, weights);
    weights_free(&evaluator->weights);
    evaluator->weights = copy;
    family_expand(copy.family, copy.parameters, evaluator->coefficients);
    if (evaluator->pawns != NULL)
        pawn_cache_clear(evaluator->pawns);
    if (evaluator->scores != NULL)
        memset(evaluator->scores, 0, SLOTS * sizeof *evaluator->scores);
}

const Weights *evaluator_weights(const Evaluator *evaluator) {
    return &evaluator->weights;
}

static int compute(Evaluator *evaluator, const Position *pos) {
    const Family *family = evaluator->weights.family;
    int units = family->score(pos, evaluator->coefficients, evaluator->pawns);
    const int score = family_centipawns(family, units);
    return position_turn(pos) == WHITE ? score : -score;
}

void evaluator_prefetch(const Evaluator *evaluator, const Position *pos) {
    if (evaluator->scores != NULL)
        __builtin_prefetch(&evaluator->scores[pos->key & (SLOTS - 1)]);
    if (evaluator->pawns != NULL)
        __builtin_prefetch(pawn_cache_slot(evaluator->pawns, pos->pawn_key));
}

int evaluator_score(Evaluator *evaluator, const Position *pos) {
    if (evaluator->scores == NULL)
        return compute(evaluator, pos);
    uint64_t *slot = &evaluator->scores[pos->key & (SLOTS - 1)];
    if (((*slot ^ pos->key) & ~SCORE_MASK) == 0)
        return (int16_t)(*slot & SCORE_MASK);
    int score = compute(evaluator, pos);
    *slot = (pos->key & ~SCORE_MASK) | (uint16_t)score;
    return score;
}
