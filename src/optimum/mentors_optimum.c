// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of mentors is one problem of least absolute error: every position stands in it once for
// each mentor, counted as often as the mentor's share says. The worst mentor is a game: whoever
// picks the mixture wants its least error large, and every mixture's is a lower bound on the worst;
// whoever picks weights mixes those of the mixtures tried. (Kelley's cutting planes.)
#include "optimum/mentors_optimum.h"

#include "base/mem.h"
#include "optimum/lp.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIXTURES_MAX = 40, SHARES_SUM = 1000 };

static const double gap_small = 1e-5; // of the worst error: near enough

// --- mixtures ---

// Rows, labels and shares of a problem in which every position stands for each mentor; owned.
typedef struct Stack {
    int16_t *counts;
    int32_t *labels, *shares, *low, *high;
    size_t rows;
} Stack;

static Stack stack_of(const MentorData *data, const int32_t *shares) {
    const CountMatrix *matrix = &data->set->matrix;
    const size_t mentors = data->set->mentors, most = matrix->count * mentors + 1;
    const size_t terms = matrix->terms;
    Stack out = {.counts = mem_alloc(most * terms * sizeof *out.counts),
                 .labels = mem_alloc(most * sizeof *out.labels),
                 .shares = mem_alloc(most * sizeof *out.shares),
                 .low = mem_alloc(terms * sizeof *out.low),
                 .high = mem_alloc(terms * sizeof *out.high)};
    for (size_t j = 0; j < terms; j++) {
        out.low[j] = (int32_t)data->space->parameters[j].low;
        out.high[j] = (int32_t)data->space->parameters[j].high;
    }
    for (size_t m = 0; m < mentors; m++)
        for (size_t i = 0; i < matrix->count && shares[m] > 0; i++) {
            for (size_t j = 0; j < terms; j++)
                out.counts[out.rows * terms + j] = (int16_t)counts_at(matrix, i, j);
            out.labels[out.rows] = data->panel->own[m][i];
            out.shares[out.rows++] = shares[m];
        }
    return out;
}

static void stack_free(Stack *stack) {
    free(stack->counts);
    free(stack->labels);
    free(stack->shares);
    free(stack->low);
    free(stack->high);
}

static OptimumProblem stack_problem(const Stack *stack, size_t terms) {
    return (OptimumProblem){.counts = stack->counts,
                            .n = stack->rows,
                            .m = terms,
                            .labels = stack->labels,
                            .shares = stack->shares,
                            .low = stack->low,
                            .high = stack->high};
}

static Status solve_mixture(const MentorData *data, const int32_t *shares, bool is_whole,
                            OptimumResult *out) {
    assert(data->set->matrix.terms == data->space->count);
    CLEANUP(stack_free) Stack stack = stack_of(data, shares);
    const OptimumProblem optimum = stack_problem(&stack, data->set->matrix.terms);
    return is_whole ? optimum_solve(&optimum, 0, out) : optimum_solve_real(&optimum, out);
}

Status mentors_mixture(const MentorData *data, const int32_t *shares, OptimumResult *out) {
    return solve_mixture(data, shares, true, out);
}

void mentors_errors(const MentorData *data, const double *weights, double *errors) {
    const CountMatrix *matrix = &data->set->matrix;
    memset(errors, 0, data->set->mentors * sizeof *errors);
    for (size_t i = 0; i < matrix->count; i++) {
        double score = 0;
        for (size_t j = 0; j < matrix->terms; j++)
            score += weights[j] * counts_at(matrix, i, j);
        for (size_t m = 0; m < data->set->mentors; m++)
            errors[m] += fabs(data->panel->own[m][i] - score);
    }
}

static double worst_of(const MentorData *data, const double *weights) {
    double errors[MENTORS_MAX], worst = 0;
    mentors_errors(data, weights, errors);
    for (size_t m = 0; m < data->set->mentors; m++)
        worst = fmax(worst, errors[m]);
    return worst;
}

// --- the worst ---

typedef struct Game {
    const MentorData *data;
    size_t mentors, count;                      // of mixtures tried
    double payoffs[MIXTURES_MAX * MENTORS_MAX]; // errors by each mentor, of each mixture's weights
    double *weights[MIXTURES_MAX];              // owned
    double bound;                               // the best there is
} Game;

// Whole shares near the mixture, of which every one is a proof.
static int32_t round_shares(const double *mix, size_t mentors, int32_t *shares) {
    int32_t sum = 0;
    for (size_t m = 0; m < mentors; m++) {
        shares[m] = (int32_t)lround(fmax(mix[m], 0) * SHARES_SUM);
        sum += shares[m];
    }
    return sum;
}

static Status try_mixture(Game *game, const double *mix) {
    int32_t shares[MENTORS_MAX];
    OptimumResult result;
    const int32_t sum = round_shares(mix, game->mentors, shares);
    TRY(solve_mixture(game->data, shares, false, &result));
    game->bound = fmax(game->bound, nextafter(result.bound / sum, 0));
    mentors_errors(game->data, result.weights, game->payoffs + game->count * game->mentors);
    game->weights[game->count++] = result.weights;
    result.weights = NULL;
    optimum_result_free(&result);
    return OK;
}

static Status play(Game *game, double *row_mix) {
    double mix[MENTORS_MAX], value;
    for (size_t m = 0; m < game->mentors; m++)
        mix[m] = 1 / (double)game->mentors;
    for (;;) {
        TRY(try_mixture(game, mix));
        TRY(lp_solve_game(game->payoffs, game->count, game->mentors, mix, row_mix, &value));
        if (game->count == MIXTURES_MAX || value - game->bound <= gap_small * value)
            return OK;
    }
}

// Steps of one along each weight, as long as the worst error falls.
static void improve_whole(const MentorData *data, double *weights) {
    double worst = worst_of(data, weights);
    for (bool improved = true; improved;) {
        improved = false;
        for (size_t j = 0; j < data->space->count; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const EvolveParameter *parameter = &data->space->parameters[j];
                const double before = weights[j], value = before + sign;
                if (value < parameter->low || value > parameter->high)
                    continue;
                weights[j] = value;
                const double error = worst_of(data, weights);
                improved = improved || error < worst;
                weights[j] = error < worst ? value : before;
                worst = fmin(worst, error);
            }
    }
}

static void conclude(const Game *game, const double *row_mix, OptimumResult *out) {
    const size_t count = game->data->space->count;
    double *whole = mem_alloc_zero(count + 1, sizeof *whole), total = 0;
    *out = (OptimumResult){.count = count, .bound = game->bound};
    out->weights = mem_alloc_zero(count + 1, sizeof *out->weights);
    out->whole_weights = mem_alloc_zero(count + 1, sizeof *out->whole_weights);
    for (size_t i = 0; i < game->count; i++)
        total += row_mix[i];
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < game->count; i++)
            out->weights[j] += row_mix[i] / total * game->weights[i][j];
        whole[j] = round(out->weights[j]);
    }
    improve_whole(game->data, whole);
    for (size_t j = 0; j < count; j++)
        out->whole_weights[j] = (int32_t)whole[j];
    out->error = worst_of(game->data, out->weights);
    out->whole_error = llround(worst_of(game->data, whole));
    out->whole_bound = (int64_t)ceil(game->bound);
    free(whole);
}

static Status solve_worst(const MentorData *data, OptimumResult *out) {
    Game *game = mem_alloc_zero(1, sizeof *game);
    double row_mix[MIXTURES_MAX];
    *game = (Game){.data = data, .mentors = data->set->mentors};
    const Status status = play(game, row_mix);
    if (status == OK)
        conclude(game, row_mix, out);
    for (size_t i = 0; i < game->count; i++)
        free(game->weights[i]);
    free(game);
    return status;
}

// --- the optimum ---

static Status add_evidence(const MentorData *data, CertifiedOptimum *out) {
    const CountMatrix *matrix = &data->set->matrix;
    // The rows of one mentor are those of the target.
    CLEANUP(stack_free) Stack stack = stack_of(data, (const int32_t[MENTORS_MAX]){1});
    OptimumProblem target = stack_problem(&stack, matrix->terms);
    target.labels = matrix->labels;
    target.shares = NULL;
    out->evidence = mem_alloc_zero(target.m, sizeof *out->evidence);
    return identify(&target, out->result.weights, out->evidence);
}

Status mentors_optimum(const MentorData *data, CertifiedOptimum *out) {
    const size_t mentors = data->set->mentors;
    const bool is_worst = data->fitness == PANEL_WORST;
    int32_t shares[MENTORS_MAX];
    TRY(mentor_data_check_linear(data));
    if (data->fitness == PANEL_TARGET)
        return certified_solve(&data->set->matrix, data->space, data->unit, out);
    for (size_t m = 0; m < mentors; m++)
        shares[m] = 1;
    *out = (CertifiedOptimum){.positions = data->set->matrix.count * (is_worst ? 1 : mentors),
                              .scale = data->unit};
    TRY(is_worst ? solve_worst(data, &out->result) : mentors_mixture(data, shares, &out->result));
    const Status status = add_evidence(data, out);
    if (status != OK)
        certified_free(out);
    return status;
}
