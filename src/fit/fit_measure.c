// SPDX-License-Identifier: GPL-3.0-or-later
// What fitting needs to know of scores and results: the scale that joins them, and plain errors.
#include "base/mem.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>

// K is looked for between these, by golden sections of its logarithm.
static const double k_least = 0.01, k_most = 20, k_precision = 1e-5;

typedef struct Scale {
    const LinearSet *set; // whose targets the results are; or those below
    LinearShape shape;
    DistPool *pool;
    const float *scores, *results;
    size_t count;
    Status status;
} Scale;

static double loss_of_set(Scale *scale, double k) {
    const LinearLoss loss = {scale->shape, true, k};
    double mean = 0;
    if (scale->status == OK)
        scale->status = linear_loss_of_scores(scale->set, &loss, scale->scores, scale->pool, &mean);
    return mean;
}

static double loss_of_scores(Scale *scale, double k) {
    const LinearLoss loss = {scale->shape, true, k};
    double sum = 0, slope;
    for (size_t i = 0; i < scale->count; i++)
        sum += linear_loss_at(&loss, (double)scale->scores[i], (double)scale->results[i], &slope);
    return sum;
}

static Status find_least(Scale *scale, double (*loss_at)(Scale *scale, double k), double *k) {
    const double golden = (sqrt(5) - 1) / 2;
    double low = log(k_least), high = log(k_most);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = loss_at(scale, exp(left)), at_right = loss_at(scale, exp(right));
    while (high - low > k_precision && scale->status == OK) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = loss_at(scale, exp(left));
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = loss_at(scale, exp(right));
        }
    }
    *k = exp((low + high) / 2);
    if (scale->status == OK && *k < k_least * (1 + 10 * k_precision))
        return error_set(ERR_ARG, "the results do not follow the scores, so no K can be fitted; "
                                  "--k sets one");
    return scale->status;
}

Status fit_k(const LinearSet *set, LinearShape shape, const double *coefficients, DistPool *pool,
             double *k) {
    CLEANUP(mem_free_at)
    float *scores = mem_alloc_zero(linear_scores_room(set) + 1, sizeof *scores);
    Scale scale = {.set = set, .shape = shape, .pool = pool, .scores = scores};
    TRY(linear_scores(set, coefficients, pool, scores)); // they do not depend on K
    return find_least(&scale, loss_of_set, k);
}

Status fit_k_of_scores(const float *scores, const float *results, size_t count, double *k) {
    Scale scale = {
        .shape = SHAPE_CROSS_ENTROPY, .scores = scores, .results = results, .count = count};
    return find_least(&scale, loss_of_scores, k);
}

Status fit_errors(const LinearSet *set, const double *coefficients, const float *scores,
                  const float *results, DistPool *pool, FitErrors *errors) {
    CLEANUP(mem_free_at) float *own = mem_alloc((set->count + 1) * sizeof *own);
    double sum = 0;
    *errors = (FitErrors){.absolute = (double)NAN};
    TRY(linear_scores(set, coefficients, pool, own));
    for (size_t i = 0; i < set->count; i++) {
        if (scores != NULL)
            sum += fabs((double)own[i] - (double)scores[i]);
        const bool is_decided = results != NULL && results[i] != 0.5f;
        errors->decided += is_decided;
        errors->recognized += is_decided && (results[i] > 0.5f ? own[i] > 0 : own[i] < 0);
    }
    if (scores != NULL)
        errors->absolute = sum / (double)set->count;
    return OK;
}
