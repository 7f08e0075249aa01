// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_end.h"

#include "base/mem.h"
#include "run/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Status run_write_weights(const RunWeights *run, const char *name, const double *parameters,
                         uint32_t generation, const char *lines) {
    const RunConfig *config = run->config;
    Weights weights;
    Str path = {0};
    problem_weights(run->problem, parameters, &weights);
    Str *lineage = &weights.lineage;
    const double population = config->algorithm.values[OPTION_POPULATION];
    str_addf(lineage, "method: %s", config->algorithm.algorithm->name);
    // 0 leaves it to the algorithm.
    if (population > 0)
        str_addf(lineage, " of %.0f organisms", population);
    str_addf(lineage, ", generation %u\n", generation);
    str_addf(lineage, "seed: %" PRId64 ", run %u\n", config->seed, run->index + 1);
    str_add(lineage, problem_is_games(run->problem) ? "games: " : "data: ");
    problem_describe(run->problem, SET_TRAINING, lineage);
    str_addf(lineage, "\n%scommand: %s\n", lines, str_text(&config->command));
    str_addf(&path, "%s/%s", run->directory, name);
    Status status = weights_save(&weights, str_text(&path));
    if (status == OK && family_is_foreign(weights.family)) {
        str_clear(&path);
        str_addf(&path, "%s/values.txt", run->directory);
        status = weights_save_values(&weights, str_text(&path));
    }
    str_free(&path);
    weights_free(&weights);
    return status;
}

void run_describe_outcome(const Problem *problem, const RunOutcome *outcome, Str *out) {
    const ProblemGoal *goal = problem_goal(problem);
    if (!problem_is_games(problem)) {
        str_addf(out, "%s: %.4f %s on the training set, %.4f on the last sample", goal->name,
                 outcome->training_error, goal->unit, outcome->sample_error);
        if (!isnan(outcome->test_error))
            str_addf(out, ", %.4f on the test set", outcome->test_error);
        str_add(out, "\n");
        return;
    }
    if (!isnan(outcome->sample_error))
        str_addf(out, "%s: %.4f %s in the last generation\n", goal->name, outcome->sample_error,
                 goal->unit);
    if (outcome->has_verdict) {
        str_add(out, "verdict: ");
        verdict_describe(&outcome->verdict, out);
        str_add(out, "\n");
    }
}

double *run_mean_organism(const EvolveBatch *batch) {
    double *mean = mem_alloc_zero(batch->width, sizeof *mean);
    for (size_t i = 0; i < batch->count * batch->width; i++)
        mean[i % batch->width] += batch->parameters[i] / (double)batch->count;
    return mean;
}

// The best, then those it came from: the organisms of the start, or their mean where the best is
// the mean of the end.
static EvolveBatch players_of(Evolver *fresh, const double *best) {
    const EvolveBatch start = evolver_ask(fresh);
    const size_t bytes = start.width * sizeof(double);
    const bool by_mean = evolver_wants_meetings(fresh);
    const size_t count = by_mean ? 1 : start.count;
    double *mean = by_mean ? run_mean_organism(&start) : NULL;
    double *rows = mem_alloc((count + 1) * bytes);
    memcpy(rows, best, bytes);
    memcpy(rows + start.width, by_mean ? mean : start.parameters, count * bytes);
    free(mean);
    return (EvolveBatch){rows, count + 1, start.width, 0};
}

static Status play_verdict(const RunWeights *run, const EvolveBatch *players, const RunFiles *files,
                           RunOutcome *outcome) {
    const VerdictSetup setup = {players,         (uint64_t)run->config->verdict_games,
                                run->index,      run->directory,
                                files->progress, files->stop};
    if (setup.games == 0)
        return OK;
    const Status status =
        verdict_reach(run->problem, &setup, &outcome->verdict, &outcome->is_finished);
    outcome->has_verdict = status == OK && outcome->is_finished;
    if (outcome->has_verdict)
        outcome->training_error = verdict_percent(&outcome->verdict);
    return status;
}

Status run_conclude_games(const RunWeights *run, const EvolveSetup *setup, const RunFiles *files,
                          RunOutcome *outcome) {
    Evolver *fresh;
    Status status = evolver_create(&fresh, setup);
    if (status != OK)
        return status;
    const EvolveBatch players = players_of(fresh, outcome->best);
    if (evolver_wants_meetings(fresh))
        status = run_write_weights(run, "undeveloped.weights", players.parameters + players.width,
                                   0, "note: the mean of the population at the start\n");
    if (status == OK)
        status = play_verdict(run, &players, files, outcome);
    free((void *)players.parameters);
    evolver_destroy(fresh);
    return status;
}
