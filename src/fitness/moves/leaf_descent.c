// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/leaf_descent.h"

#include <math.h>
#include <string.h>

static void round_all(const double *coefficients, size_t count, int32_t *out) {
    for (size_t i = 0; i < count; i++)
        out[i] = (int32_t)lround(coefficients[i]);
}

static bool is_better(const LeafDescent *descent, const LeafRound *a, const LeafRound *b) {
    return descent->validation->count > 0 ? a->validation_hits > b->validation_hits
                                          : a->training_hits > b->training_hits;
}

static Status go_round(const LeafDescent *descent, const int32_t *whole, bool is_last,
                       DistPool *pool, double *coefficients, LeafRound *result) {
    CLEANUP(leaves_free_at) Leaves *leaves = NULL;
    const LeavesConfig *config = &descent->leaves;
    TRY(leaves_count_hits(descent->validation, config, whole, pool, &result->validation_hits));
    if (is_last)
        return leaves_count_hits(descent->training, config, whole, pool, &result->training_hits);
    TRY(leaves_find(&leaves, descent->training, config, whole, pool));
    result->training_hits = leaves_totals(leaves).hits;
    const SlopeSource source = leaves_slope_source(leaves);
    return surrogate_descend(&source, &descent->steps, pool, coefficients);
}

Status leaf_descent(const LeafDescent *descent, DistPool *pool, double *coefficients,
                    LeafRound *rounds, unsigned *best) {
    const size_t terms = descent->leaves.family->coefficient_count;
    int32_t whole[COEFFICIENTS_MAX], kept[COEFFICIENTS_MAX];
    for (unsigned i = 0; i <= descent->rounds; i++) {
        round_all(coefficients, terms, whole);
        TRY(go_round(descent, whole, i == descent->rounds, pool, coefficients, &rounds[i]));
        if (i == 0 || is_better(descent, &rounds[i], &rounds[*best])) {
            *best = i;
            memcpy(kept, whole, terms * sizeof *kept);
        }
        if (descent->observe != NULL)
            descent->observe(descent->context, i, &rounds[i]);
        if (descent->patience > 0 && i - *best >= descent->patience)
            break;
    }
    for (size_t i = 0; i < terms; i++)
        coefficients[i] = kept[i];
    return OK;
}
