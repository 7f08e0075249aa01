// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit_positions.h"

#include "base/locate.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const fit_kind_names[] = {"results", "results-squared", "mentor", "mentor-absolute",
                                      "mix",     "moves",           NULL};

static bool needs_results(FitKind kind) {
    return kind == FIT_RESULTS || kind == FIT_RESULTS_SQUARED || kind == FIT_MIX;
}

static bool needs_scores(FitKind kind) {
    return kind == FIT_MENTOR || kind == FIT_MENTOR_ABSOLUTE || kind == FIT_MIX;
}

static LinearLoss loss_of(const FitPlan *plan) {
    const FitKind kind = plan->kind;
    return (LinearLoss){
        .shape = kind == FIT_RESULTS || kind == FIT_MIX ? SHAPE_CROSS_ENTROPY
                 : kind == FIT_MENTOR_ABSOLUTE          ? SHAPE_ABSOLUTE
                                                        : SHAPE_SQUARED,
        .is_probability = needs_results(kind) || plan->through_sigmoid,
        .k = plan->k,
    };
}

static Status read_file(LinearPair *pair, const char *name, const LinearDataOptions *options,
                        DistPool *pool) {
    CLEANUP(str_free) Str path = {0};
    TRY(locate("data", name, &path));
    return linear_pair_read(pair, str_text(&path), options, pool);
}

static Status read_all(const FitPlan *plan, DistPool *pool, LinearPair *pair) {
    LinearDataOptions options = plan->data;
    options.needs_results = needs_results(plan->kind);
    options.needs_scores = needs_scores(plan->kind);
    for (size_t i = 0; i < plan->file_count; i++)
        TRY(read_file(pair, plan->files[i], &options, pool));
    options.holdout.share = 1;
    if (plan->validation != NULL)
        TRY(read_file(pair, plan->validation, &options, pool));
    if (pair->training.set.count == 0)
        return error_set(ERR_ARG, "all %zu positions are held out: none is left to learn from",
                         pair->held_out.set.count);
    return OK;
}

// Sets what each score should be. Where results are asked for, they are the targets K is fitted by.
static Status aim(const FitPlan *plan, LinearPair *pair, const double *coefficients, DistPool *pool,
                  LinearLoss *loss, double *mentor_k) {
    LinearData *both[] = {&pair->training, &pair->held_out};
    *mentor_k = (double)NAN;
    for (int i = 0; i < 2; i++)
        if (needs_results(plan->kind))
            linear_data_aim_at_mix(both[i], 1, 1);
        else if (!loss->is_probability)
            linear_data_aim_at_scores(both[i]);
    if (loss->is_probability && loss->k == 0 && !needs_results(plan->kind))
        loss->k = 1;
    else if (loss->is_probability && loss->k == 0)
        TRY(fit_k(&pair->training.set, loss->shape, coefficients, pool, &loss->k));
    if (plan->kind == FIT_MIX)
        TRY(fit_k_of_scores(pair->training.scores, pair->training.results, pair->training.set.count,
                            mentor_k));
    else if (needs_scores(plan->kind) && loss->is_probability)
        *mentor_k = loss->k;
    for (int i = 0; i < 2 && !isnan(*mentor_k); i++)
        linear_data_aim_at_mix(both[i], plan->kind == FIT_MIX ? plan->lambda : 0, *mentor_k);
    return OK;
}

static Status measure(const LinearPair *pair, const double *coefficients, DistPool *pool,
                      FitOutcome *out, int when) {
    const LinearData *training = &pair->training, *held_out = &pair->held_out;
    TRY(fit_errors(&training->set, coefficients, training->scores, training->results, pool,
                   &out->training[when]));
    return fit_errors(&held_out->set, coefficients, held_out->scores, held_out->results, pool,
                      &out->held_out[when]);
}

void fit_outcome_free(FitOutcome *outcome) {
    str_free(&outcome->data);
    free(outcome->certainty);
}

// Leaves the pull that was used in the configuration.
static Status fit_pair(const FitPlan *plan, const LinearPair *pair, FitConfig *config,
                       DistPool *pool, double *coefficients, FitOutcome *out) {
    const LinearData *training = &pair->training, *held_out = &pair->held_out;
    if (!plan->chooses_pull)
        return fit_coefficients(config, &training->set, &held_out->set, pool, coefficients,
                                &out->result);
    TRY(fit_with_pull(config, training, held_out, pool, coefficients, &out->result, &out->pull));
    config->pull = out->pull.trials[out->pull.chosen].pull;
    return OK;
}

static Status learn_certainty(const LinearPair *pair, const FitConfig *config, DistPool *pool,
                              const double *coefficients, FitOutcome *out) {
    const LinearSet *set = &pair->training.set;
    out->training_games = linear_data_games(&pair->training);
    out->held_out_games = linear_data_games(&pair->held_out);
    if (isinf(config->pull))
        return OK; // the start is best
    out->certainty = mem_alloc_zero(linear_set_coefficients(set), sizeof *out->certainty);
    return fit_certainty(config, set, out->training_games, coefficients, pool, out->certainty);
}

static Status fit_scores(const FitPlan *plan, DistPool *pool, double *coefficients,
                         FitOutcome *out) {
    CLEANUP(linear_pair_free) LinearPair pair = {0};
    FitConfig config = plan->fit;
    config.loss = loss_of(plan);
    linear_pair_init(&pair, plan->data.family);
    TRY(read_all(plan, pool, &pair));
    TRY(aim(plan, &pair, coefficients, pool, &config.loss, &out->mentor_k));
    TRY(measure(&pair, coefficients, pool, out, 0));
    TRY(fit_pair(plan, &pair, &config, pool, coefficients, out));
    TRY(learn_certainty(&pair, &config, pool, coefficients, out));
    TRY(measure(&pair, coefficients, pool, out, 1));
    out->training_count = pair.training.set.count;
    out->held_out_count = pair.held_out.set.count;
    mentor_totals_describe(&pair.totals, &plan->data.limits, &out->data);
    out->hash = pair.hash;
    if (config.loss.is_probability)
        out->k = config.loss.k;
    return OK;
}

Status fit_positions(const FitPlan *plan, DistPool *pool, double *coefficients, FitOutcome *out) {
    *out = (FitOutcome){.k = (double)NAN, .mentor_k = (double)NAN};
    if (plan->kind == FIT_MOVES && family_is_foreign(plan->data.family))
        return error_set(ERR_ARG,
                         "another engine's coefficients tell of no moves: the loss must be "
                         "of results or of a mentor's scores");
    return plan->kind == FIT_MOVES ? fit_moves(plan, pool, coefficients, out)
                                   : fit_scores(plan, pool, coefficients, out);
}
