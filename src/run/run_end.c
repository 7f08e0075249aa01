// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves behind when it is over: weights files with their story, and by games a verdict.
#include "base/mem.h"
#include "evolve/survival.h"
#include "run/playoff.h"
#include "run/run_internal.h"
#include "run/strength.h"
#include "run/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Writes an organism of the run as weights, with how it came about: from `source`, "data" or
// "games"; `lines` are added to that.
static Status write_weights(const Run *run, const char *source, const char *name,
                            const double *parameters, uint32_t generation, const char *lines) {
    const RunConfig *config = run->config;
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str path = {0};
    problem_weights(run->problem, parameters, &weights);
    Str *lineage = &weights.lineage;
    const double population = config->algorithm.values[OPTION_POPULATION];
    str_addf(lineage, "method: %s", config->algorithm.algorithm->name);
    // 0 leaves it to the algorithm.
    if (population > 0)
        str_addf(lineage, " of %.0f organisms", population);
    str_addf(lineage, ", generation %u\n", generation);
    str_addf(lineage, "seed: %" PRId64 ", run %u\n%s: ", config->seed, run->index + 1, source);
    problem_describe(run->problem, SET_TRAINING, lineage);
    str_addf(lineage, "\n%scommand: %s\n", lines, str_text(&config->command));
    str_addf(&path, "%s/%s", str_text(&run->directory), name);
    TRY(weights_save(&weights, str_text(&path)));
    if (!family_is_foreign(weights.family))
        return OK;
    str_setf(&path, "%s/values.txt", str_text(&run->directory));
    return weights_save_values(&weights, str_text(&path));
}

// --- the verdict ---

static Status play_verdict(Run *run, Problem *games, const EvolveBatch *players,
                           RunOutcome *outcome) {
    const VerdictSetup setup = {players,
                                (uint64_t)run->config->verdict_games,
                                run->index,
                                str_text(&run->directory),
                                run->files->progress,
                                run->files->stop};
    if (setup.games == 0)
        return OK;
    TRY(verdict_reach(games, &setup, &outcome->verdict, &outcome->is_finished));
    outcome->has_verdict = outcome->is_finished;
    return OK;
}

// Before the verdict, so that a run with a verdict is whole.
static Status play_strength(Run *run, const EvolveBatch *players, RunOutcome *outcome) {
    const VerdictSetup setup = {players,
                                (uint64_t)run->config->strength_games,
                                run->index,
                                str_text(&run->directory),
                                run->files->progress,
                                run->files->stop};
    return strength_reach(run->problem, &setup, &outcome->is_finished);
}

static void add_verdict(const Run *run, const RunOutcome *outcome, Str *lines) {
    if (!outcome->has_verdict)
        return;
    str_add(lines, "verdict: ");
    verdict_describe(&outcome->verdict, verdict_opponent(run->problem), lines);
    str_add(lines, "\n");
}

// --- on positions ---

// The best organism: of the last generation on all training positions, the first of equals. Where
// all generations were judged on the same positions, any earlier one may be better: an algorithm
// that starts anew, or asks for trials only, need not keep its best in the batch.
static Status choose_on_positions(Run *run, const double **best, int64_t *sample_score) {
    const size_t width = problem_space(run->problem)->count;
    CLEANUP(mem_free_at) int64_t *scores = mem_alloc((run->count + 1) * sizeof *scores);
    TRY(problem_judge(run->problem, SET_TRAINING, run->organisms, run->count, scores));
    const size_t place = survival_best(scores, run->count);
    *best = run->organisms + place * width;
    *sample_score = run->scores[place];
    int64_t score;
    const double *ever = evolver_best(run->evolver, &score);
    if (!problem_draws_afresh(run->problem) && ever != NULL && score > scores[place]) {
        *best = ever;
        *sample_score = score;
    }
    return OK;
}

static Status figures_on_positions(Run *run, int64_t sample_score, RunOutcome *outcome) {
    outcome->evaluations = evolver_evaluations(run->evolver);
    outcome->sample_error = run_sample_figure(run, (double)sample_score);
    TRY(run_judge(run, SET_TRAINING, outcome->best, &outcome->training_error));
    TRY(run_judge(run, SET_TEST, outcome->best, &outcome->test_error));
    if (isnan(outcome->test_error))
        return OK;
    char weights[48];
    snprintf(weights, sizeof weights, "best of generation %u", outcome->generation);
    return run_log_reading(str_text(&run->directory), weights, outcome->test_error);
}

static Status write_best_on_positions(const Run *run, const RunOutcome *outcome) {
    const ProblemGoal *goal = problem_goal(run->problem);
    CLEANUP(str_free) Str lines = {0};
    str_addf(&lines, "%s: %.4f %s on the training set, %.4f on the last sample", goal->name,
             outcome->training_error, goal->unit, outcome->sample_error);
    if (!isnan(outcome->test_error))
        str_addf(&lines, ", %.4f on the test set", outcome->test_error);
    str_add(&lines, "\n");
    add_verdict(run, outcome, &lines);
    return write_weights(run, "data", "best.weights", outcome->best, outcome->generation,
                         str_text(&lines));
}

// Searches that solve positions with few nodes need not win games: the best plays the values that
// it would have had without evolution.
static Status play_start_values(Run *run, RunOutcome *outcome) {
    CLEANUP(problem_destroy_at) Problem *games = NULL;
    const size_t width = problem_space(run->problem)->count, bytes = width * sizeof(double);
    CLEANUP(mem_free_at) double *rows = mem_alloc(2 * bytes);
    const EvolveBatch players = {rows, 2, width, 0};
    if (!problem_can_play(run->problem) || run->config->verdict_games == 0)
        return OK;
    memcpy(rows, outcome->best, bytes);
    memcpy(rows + width, problem_start_values(run->problem), bytes);
    TRY(problem_create_players(&games, run->problem, run->config));
    return play_verdict(run, games, &players, outcome);
}

// When told to stop within its games, the outcome is unfinished.
static Status judge_on_positions(Run *run, int64_t sample_score, RunOutcome *outcome) {
    TRY(figures_on_positions(run, sample_score, outcome));
    TRY(play_start_values(run, outcome));
    return outcome->has_verdict ? write_best_on_positions(run, outcome) : OK;
}

static Status finish_on_positions(Run *run, RunOutcome *outcome) {
    const double *best;
    int64_t sample_score;
    TRY(choose_on_positions(run, &best, &sample_score));
    outcome->best = run_copy_organism(run, best);
    outcome->is_finished = true;
    TRY(figures_on_positions(run, sample_score, outcome));
    TRY(write_best_on_positions(run, outcome));
    TRY(run_save_finished(run, outcome, sample_score));
    TRY(play_start_values(run, outcome));
    return outcome->has_verdict ? write_best_on_positions(run, outcome) : OK;
}

// --- by games ---

// The mean of a population; the caller frees it.
static double *mean_organism(const EvolveBatch *batch) {
    double *mean = mem_alloc_zero(batch->width, sizeof *mean);
    for (size_t i = 0; i < batch->count * batch->width; i++)
        mean[i % batch->width] += batch->parameters[i] / (double)batch->count;
    return mean;
}

// Against how many a verdict is played.
static size_t opponent_count(Evolver *fresh) {
    return evolver_wants_meetings(fresh) ? 1 : evolver_ask(fresh).count;
}

// The best, then those it came from: the organisms of the start; their mean where the best is
// the mean of the end; or the one that was varied.
static EvolveBatch players_of(Evolver *fresh, const double *best) {
    const EvolveBatch start = evolver_ask(fresh);
    const size_t bytes = start.width * sizeof(double), count = opponent_count(fresh);
    const bool by_mean = evolver_ends_as_mean(fresh), by_meetings = evolver_wants_meetings(fresh);
    CLEANUP(mem_free_at) double *mean = by_mean ? mean_organism(&start) : NULL;
    double *rows = mem_alloc((count + 1) * bytes);
    memcpy(rows, best, bytes);
    memcpy(rows + start.width,
           by_mean       ? mean
           : by_meetings ? evolver_best(fresh, NULL)
                         : start.parameters,
           count * bytes);
    return (EvolveBatch){rows, count + 1, start.width, 0};
}

static Status write_best_of_games(const Run *run, const RunOutcome *outcome) {
    const ProblemGoal *goal = problem_goal(run->problem);
    CLEANUP(str_free) Str lines = {0};
    uint64_t playoff;
    TRY(playoff_games(str_text(&run->directory), &playoff));
    if (playoff > 0)
        str_addf(&lines,
                 "choice: by a play-off of the last generations' bests, %" PRIu64 " games\n",
                 playoff);
    else if (!isnan(outcome->sample_error))
        str_addf(&lines, "%s: %.4f %s in the last generation\n", goal->name, outcome->sample_error,
                 goal->unit);
    add_verdict(run, outcome, &lines);
    return write_weights(run, "games", "best.weights", outcome->best, outcome->generation,
                         str_text(&lines));
}

// Lets the best play those it came from, unless that is told already, and keeps the undeveloped
// player. When told to stop, the outcome is unfinished.
static Status judge_by_games(Run *run, int64_t sample_score, RunOutcome *outcome) {
    const EvolveSetup setup = run_setup(run->problem, run->config, run->index);
    CLEANUP(evolver_destroy_at) Evolver *fresh = NULL;
    outcome->evaluations = evolver_evaluations(run->evolver);
    if (!evolver_wants_meetings(run->evolver))
        outcome->sample_error = run_sample_figure(run, (double)sample_score);
    TRY(evolver_create(&fresh, &setup));
    const EvolveBatch players = players_of(fresh, outcome->best);
    CLEANUP(mem_free_at) void *rows = (void *)players.parameters;
    if (evolver_ends_as_mean(fresh))
        TRY(write_weights(run, "games", "undeveloped.weights", players.parameters + players.width,
                          0, "note: the mean of the population at the start\n"));
    TRY(play_strength(run, &players, outcome));
    if (outcome->is_finished)
        TRY(play_verdict(run, run->problem, &players, outcome));
    if (outcome->has_verdict)
        outcome->training_error = verdict_percent(&outcome->verdict);
    return outcome->is_finished ? write_best_of_games(run, outcome) : OK;
}

// Replaces the best of the last generation by the winner of a play-off, where one is asked for.
static Status play_off(Run *run, RunOutcome *outcome, bool *is_done) {
    const PlayoffSetup setup = {(uint64_t)run->config->playoff_games, run->index,
                                str_text(&run->directory), run->files->progress, run->files->stop};
    PlayoffResult result = {.is_done = true};
    if (setup.games > 0)
        TRY(playoff_choose(run->problem, &setup, outcome->best, &result));
    if (result.candidates > 0 && result.is_done)
        outcome->generation = result.generation;
    *is_done = result.is_done;
    return OK;
}

// The verdict comes after the checkpoint: whoever stops in its games does not lose the evolution.
static Status finish_by_games(Run *run, RunOutcome *outcome) {
    int64_t sample_score = 0;
    bool is_done = true;
    if (evolver_ends_as_mean(run->evolver)) {
        const EvolveBatch batch = evolver_ask(run->evolver);
        outcome->best = mean_organism(&batch);
    } else if (evolver_wants_meetings(run->evolver)) {
        outcome->best = run_copy_organism(run, evolver_best(run->evolver, NULL));
    } else {
        const size_t place = survival_best(run->scores, run->count);
        const size_t width = problem_space(run->problem)->count;
        outcome->best = run_copy_organism(run, run->organisms + place * width);
        sample_score = run->scores[place];
        TRY(play_off(run, outcome, &is_done));
    }
    if (!is_done)
        return OK;
    outcome->is_finished = true;
    TRY(run_save_finished(run, outcome, sample_score));
    return judge_by_games(run, sample_score, outcome);
}

// An opening that is played again tells less than the interval makes of it.
static Status check_verdict(const Problem *problem, const RunConfig *config) {
    const uint64_t most = 2 * problem_duel_pairs(problem);
    const bool is_verdict = (uint64_t)config->verdict_games > most;
    return !is_verdict && (uint64_t)config->strength_games <= most
               ? OK
               : error_set(ERR_ARG,
                           "%s-games must be at most %" PRIu64
                           ": no opening is played twice by the same colour, and there are %" PRIu64
                           " for the verdict",
                           is_verdict ? "verdict" : "strength", most, most / 2);
}

static Status check_start_values(const Problem *problem, const RunConfig *config) {
    CLEANUP(problem_destroy_at) Problem *games = NULL;
    if (!problem_can_play(problem) || config->verdict_games == 0)
        return OK;
    TRY(problem_create_players(&games, problem, config));
    return check_verdict(games, config);
}

const RunEnd *run_end_of(const Problem *problem) {
    static const RunEnd on_positions = {
        .check = check_start_values, .finish = finish_on_positions, .judge = judge_on_positions};
    static const RunEnd by_games = {
        .check = check_verdict, .finish = finish_by_games, .judge = judge_by_games};
    return problem_is_games(problem) ? &by_games : &on_positions;
}
