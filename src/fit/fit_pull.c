// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit_pull.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far from its start a weight is expected to end, in units, by one standard deviation. Results
// of other people's games are no strength of ours: fits that go further predict the held-out games
// better still, and play worse.
static const double reaches[] = {0.3, 0.6, 1.25, 2.5, 5, 10};
enum { REACHES = sizeof reaches / sizeof *reaches };
static_assert(REACHES + 1 == FIT_TRIALS_MAX, "the start is a trial too");

// The pull that is such an expectation beside so many games, each one piece of evidence.
static double pull_of(double reach, size_t games) {
    return 100 * 100 / (2 * reach * reach * (double)games);
}

typedef struct Trial {
    double *coefficients; // rounded
    double *losses;       // of each position held out
    FitResult result;
} Trial;

typedef struct Trials {
    const FitConfig *config;
    const LinearData *training, *held_out;
    DistPool *pool;
    size_t terms;
    size_t *order; // of the positions held out: by game
    Trial items[FIT_TRIALS_MAX];
} Trials;

static void trials_close(Trials *trials) {
    free(trials->order);
    for (size_t i = 0; i < FIT_TRIALS_MAX; i++) {
        free(trials->items[i].coefficients);
        free(trials->items[i].losses);
    }
}

static int compare_games(const void *a, const void *b, void *context) {
    const uint64_t *games = context;
    const size_t first = *(const size_t *)a, second = *(const size_t *)b;
    const int order = MEM_ORDER(games[first], games[second]);
    return order != 0 ? order : MEM_ORDER(first, second);
}

static void trials_open(Trials *trials) {
    const size_t count = trials->held_out->set.count;
    trials->order = mem_alloc((count + 1) * sizeof *trials->order);
    for (size_t i = 0; i < count; i++)
        trials->order[i] = i;
    qsort_r(trials->order, count, sizeof *trials->order, compare_games, trials->held_out->games);
    for (size_t i = 0; i < FIT_TRIALS_MAX; i++) {
        Trial *trial = &trials->items[i];
        trial->coefficients = mem_alloc(trials->terms * sizeof *trial->coefficients);
        trial->losses = mem_alloc((count + 1) * sizeof *trial->losses);
    }
}

static Status take_losses(const Trials *trials, Trial *trial) {
    const LinearSet *set = &trials->held_out->set;
    CLEANUP(mem_free_at) float *scores = mem_alloc((set->count + 1) * sizeof *scores);
    TRY(linear_scores(set, trial->coefficients, trials->pool, scores));
    for (size_t i = 0; i < set->count; i++) {
        double slope;
        trial->losses[i] = linear_loss_at(&trials->config->loss, (double)scores[i],
                                          (double)linear_set_target(set, i), &slope);
    }
    return OK;
}

static double mean_of(const Trials *trials, const Trial *trial) {
    const size_t count = trials->held_out->set.count;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += trial->losses[i];
    return sum / (double)count;
}

// The standard error of the difference between two mean losses. Games are independent of each
// other, positions of one are not.
static double error_of(const Trials *trials, const Trial *one, const Trial *other, double mean) {
    const size_t count = trials->held_out->set.count;
    const uint64_t *games = trials->held_out->games;
    double squares = 0;
    for (size_t i = 0; i < count;) {
        const uint64_t game = games[trials->order[i]];
        double sum = 0;
        for (; i < count && games[trials->order[i]] == game; i++)
            sum += one->losses[trials->order[i]] - other->losses[trials->order[i]] - mean;
        squares += sum * sum;
    }
    return sqrt(squares) / (double)count;
}

static void choose(const Trials *trials, FitPull *out) {
    size_t least = 0;
    for (size_t i = 1; i < out->count; i++)
        if (out->trials[i].held_out < out->trials[least].held_out)
            least = i;
    out->chosen = least;
    for (size_t i = out->count; i-- > 0;) {
        FitTrial *trial = &out->trials[i];
        trial->behind = trial->held_out - out->trials[least].held_out;
        trial->error = error_of(trials, &trials->items[i], &trials->items[least], trial->behind);
        if (i <= least && trial->behind <= trial->error)
            out->chosen = i;
    }
}

// Each begins where the one before, which was pulled harder, ended.
static Status try_all(Trials *trials, const double *start, FitPull *out) {
    const LinearSet *training = &trials->training->set, *held_out = &trials->held_out->set;
    FitConfig config = *trials->config;
    const size_t games = linear_data_games(trials->training);
    config.centre = start;
    for (size_t i = 0; i < FIT_TRIALS_MAX; i++) {
        Trial *trial = &trials->items[i];
        memcpy(trial->coefficients, i == 0 ? start : trials->items[i - 1].coefficients,
               trials->terms * sizeof *start);
        config.pull = i == 0 ? (double)INFINITY : pull_of(reaches[i - 1], games);
        if (i > 0)
            TRY(fit_coefficients(&config, training, held_out, trials->pool, trial->coefficients,
                                 &trial->result));
        TRY(take_losses(trials, trial));
        out->trials[out->count++] = (FitTrial){config.pull, mean_of(trials, trial), 0, 0};
    }
    return OK;
}

// A result that tells of the start and of what was chosen, whatever lay between.
static Status describe(const Trials *trials, const double *start, size_t chosen,
                       FitResult *result) {
    const LinearLoss *loss = &trials->config->loss;
    FitRound round = {0};
    TRY(linear_slope(&trials->training->set, loss, start, trials->pool, &round.training, NULL));
    TRY(linear_slope(&trials->held_out->set, loss, start, trials->pool, &round.held_out, NULL));
    *result =
        chosen == 0 ? (FitResult){.best = round, .whole = round} : trials->items[chosen].result;
    result->start = round;
    return OK;
}

Status fit_with_pull(const FitConfig *config, const LinearData *training,
                     const LinearData *held_out, DistPool *pool, double *coefficients,
                     FitResult *result, FitPull *out) {
    CLEANUP(trials_close)
    Trials trials = {config, training, held_out, pool, linear_set_coefficients(&training->set),
                     NULL,   {{0}}};
    *out = (FitPull){0};
    if (held_out->set.count == 0)
        return error_set(ERR_ARG, "without held-out positions no pull can be chosen: set --pull");
    CLEANUP(mem_free_at) double *start = mem_alloc(trials.terms * sizeof *start);
    for (size_t i = 0; i < trials.terms; i++)
        start[i] = fmin(fmax(coefficients[i], config->low[i]), config->high[i]);
    trials_open(&trials);
    TRY(try_all(&trials, start, out));
    choose(&trials, out);
    memcpy(coefficients, trials.items[out->chosen].coefficients,
           trials.terms * sizeof *coefficients);
    return describe(&trials, start, out->chosen, result);
}
