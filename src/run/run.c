// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/moments.h"
#include "base/temporary.h"
#include "evolve/loop.h"
#include "evolve/survival.h"
#include "run/files/checkpoint.h"
#include "run/files/population_file.h"
#include "run/files/run_log.h"
#include "run/run_end.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t second_ns = 1000000000;

// One run while it goes on.
typedef struct Run {
    Problem *problem;
    const RunConfig *config;
    const RunFiles *files;
    uint32_t index;
    Str directory;
    RunLog log;
    Progress progress;
    int64_t saved_ns;
    Evolver *evolver;
    // The generation judged last, from which the best is chosen at the end.
    double *organisms;
    int64_t *scores;
    size_t count, organism_capacity, score_capacity;
    uint32_t judged; // its number
} Run;

static EvolveSetup setup_of(const Problem *problem, const RunConfig *config, uint32_t index) {
    EvolveSetup setup = {.space = *problem_space(problem),
                         .config = config->algorithm,
                         .seed = (uint64_t)config->seed,
                         .run = index,
                         .fresh_scores = problem_draws_afresh(problem)};
    setup.start = problem_start(problem, &setup.start_count);
    return setup;
}

// --- what the loop calls ---

static void keep_organisms(Run *run, const EvolveBatch *batch) {
    run->count = batch->count;
    run->organisms = mem_grow(run->organisms, &run->organism_capacity, batch->count * batch->width,
                              sizeof *run->organisms);
    memcpy(run->organisms, batch->parameters, batch->count * batch->width * sizeof(double));
}

static Status evaluate(void *context, const EvolveBatch *batch, int64_t *scores) {
    Run *run = context;
    const Status status = problem_evaluate(run->problem, run->index, batch, scores);
    if (status != OK)
        return status;
    run->judged = batch->generation;
    keep_organisms(run, batch);
    run->scores = mem_grow(run->scores, &run->score_capacity, batch->count, sizeof *run->scores);
    memcpy(run->scores, scores, batch->count * sizeof *scores);
    return OK;
}

static Status play(void *context, const EvolveBatch *batch, const EvolveMeeting *meetings,
                   size_t count, EvolveResult *results) {
    const Run *run = context;
    return problem_play(run->problem, run->index, batch, meetings, count, results);
}

static double sample_figure(const Run *run, double score) {
    return problem_figure(run->problem, score, problem_sample_size(run->problem));
}

static Status judge_one(Run *run, ProblemSet set, const double *parameters, double *figure) {
    int64_t score;
    *figure = NAN;
    if (problem_size(run->problem, set) == 0)
        return OK;
    const Status status = problem_judge(run->problem, set, parameters, 1, &score);
    if (status == OK)
        *figure = problem_figure(run->problem, (double)score, problem_size(run->problem, set));
    return status;
}

static void show_progress(Run *run, const RunLogLine *line) {
    char note[128], held_out[32] = "", which[32] = "";
    if (!isnan(line->held_out))
        snprintf(held_out, sizeof held_out, ", held-out %.2f", line->held_out);
    if (run->config->runs > 1)
        snprintf(which, sizeof which, ", run %u of %" PRId64, run->index + 1, run->config->runs);
    if (isnan(line->best))
        snprintf(note, sizeof note, "diversity %.4f%s", line->diversity, which);
    else
        snprintf(note, sizeof note, "best %.2f, mean %.2f%s%s", line->best, line->mean, held_out,
                 which);
    progress_show(&run->progress, line->generation, note);
}

static RunLogLine line_of(const Run *run, const EvolveStats *stats) {
    RunLogLine line = {.generation = stats->generation,
                       .evaluations = stats->evaluations,
                       .best = NAN,
                       .worst = NAN,
                       .mean = NAN,
                       .median = NAN,
                       .diversity = stats->diversity};
    if (stats->has_scores) {
        line.best = sample_figure(run, (double)stats->best);
        line.worst = sample_figure(run, (double)stats->worst);
        line.mean = sample_figure(run, stats->mean);
        line.median = sample_figure(run, stats->median);
    }
    return line;
}

// Where meetings take the place of scores, a generation is told of by how its members stand.
static Status log_spread(Run *run, RunLogLine *line) {
    const EvolveBatch batch = evolver_ask(run->evolver);
    const EvolveSpace *space = problem_space(run->problem);
    const char *names[TERMS_MAX + 1];
    double means[TERMS_MAX + 1], deviations[TERMS_MAX + 1];
    RunLogSpread spread = {0, names, means, deviations};
    for (size_t j = 0; j < space->count; j++) {
        const EvolveParameter *parameter = &space->parameters[j];
        Moments moments = {0};
        for (size_t i = 0; i < batch.count; i++)
            moments_add(&moments, batch.parameters[i * batch.width + j]);
        if (parameter->low == parameter->high)
            continue;
        names[spread.count] = parameter->name;
        means[spread.count] = moments.mean;
        deviations[spread.count++] = moments_deviation(&moments);
    }
    run->judged = line->generation;
    keep_organisms(run, &batch);
    line->spread = &spread;
    const Status status = run_log_add(&run->log, line);
    line->spread = NULL;
    return status;
}

static Status observe(void *context, const EvolveStats *stats) {
    Run *run = context;
    RunLogLine line = line_of(run, stats);
    const ProblemSet watched = problem_goal(run->problem)->watched;
    Status status = judge_one(run, watched, stats->best_parameters, &line.held_out);
    if (status == OK)
        status = stats->has_scores ? run_log_add(&run->log, &line) : log_spread(run, &line);
    show_progress(run, &line);
    return status;
}

static Status write_population(const Run *run) {
    const bool has_scores = run->scores != NULL;
    double *figures = has_scores ? mem_alloc((run->count + 1) * sizeof *figures) : NULL;
    for (size_t i = 0; i < run->count && has_scores; i++)
        figures[i] = sample_figure(run, (double)run->scores[i]);
    const Status status =
        population_write(str_text(&run->directory), problem_space(run->problem),
                         problem_goal(run->problem)->name, run->organisms, figures, run->count);
    free(figures);
    return status;
}

// The log must be on disk before the checkpoint that counts on it.
static Status save(Run *run) {
    Status status = run->count > 0 ? write_population(run) : OK;
    if (status == OK)
        status = run_log_sync(&run->log);
    if (status != OK)
        return status;
    Checkpoint checkpoint = {.fingerprint = problem_fingerprint(run->problem),
                             .log_length = run_log_length(&run->log),
                             .generation = evolver_generation(run->evolver)};
    evolver_save(run->evolver, &checkpoint.evolver);
    status = checkpoint_save(&checkpoint, str_text(&run->directory));
    checkpoint_free(&checkpoint);
    return status;
}

static Status save_now_and_then(void *context, const Evolver *evolver) {
    Run *run = context;
    const int64_t now = clock_now_ns(), told = run->files->checkpoint_every_ns;
    (void)evolver;
    // Not after the last generation: whoever goes on from here needs one to choose the best from.
    if (now - run->saved_ns < (told > 0 ? told : second_ns) ||
        evolver_stop_reason(run->evolver) != NULL)
        return OK;
    run->saved_ns = now;
    return save(run);
}

// --- the end of a run ---

// The best organism: of the last generation on all training positions, the first of equals. Where
// all generations were judged on the same positions, any earlier one may be better: an algorithm
// that starts anew, or asks for trials only, need not keep its best in the batch.
static Status choose_best(Run *run, const double **best, int64_t *sample_score) {
    const size_t width = problem_space(run->problem)->count;
    int64_t *scores = mem_alloc((run->count + 1) * sizeof *scores), score;
    const Status status =
        problem_judge(run->problem, SET_TRAINING, run->organisms, run->count, scores);
    const size_t place = status == OK ? survival_best(scores, run->count) : 0;
    *best = run->organisms + place * width;
    *sample_score = run->scores[place];
    const double *ever = evolver_best(run->evolver, &score);
    if (!problem_draws_afresh(run->problem) && ever != NULL && score > scores[place]) {
        *best = ever;
        *sample_score = score;
    }
    free(scores);
    return status;
}

static Status write_best(const Run *run, const RunOutcome *outcome) {
    Str lineage = {0};
    run_describe_outcome(run->problem, outcome, &lineage);
    const RunWeights what = {run->problem, run->config, run->index, str_text(&run->directory)};
    const Status status = run_write_weights(&what, "best.weights", outcome->best,
                                            outcome->generation, str_text(&lineage));
    str_free(&lineage);
    return status;
}

// By games: the match of the best against the start, unless that is told already.
static Status reach_verdict(Run *run, RunOutcome *outcome) {
    const EvolveSetup setup = setup_of(run->problem, run->config, run->index);
    const RunWeights what = {run->problem, run->config, run->index, str_text(&run->directory)};
    const Status status = run_conclude_games(&what, &setup, run->files, outcome);
    return status == OK && outcome->is_finished ? write_best(run, outcome) : status;
}

static Status judge_outcome(Run *run, int64_t sample_score, RunOutcome *outcome) {
    outcome->evaluations = evolver_evaluations(run->evolver);
    if (problem_is_games(run->problem)) {
        if (!evolver_wants_meetings(run->evolver))
            outcome->sample_error = sample_figure(run, (double)sample_score);
        return reach_verdict(run, outcome);
    }
    outcome->sample_error = sample_figure(run, (double)sample_score);
    Status status = judge_one(run, SET_TRAINING, outcome->best, &outcome->training_error);
    if (status == OK)
        status = judge_one(run, SET_TEST, outcome->best, &outcome->test_error);
    if (status != OK || isnan(outcome->test_error))
        return status;
    char weights[48];
    snprintf(weights, sizeof weights, "best of generation %u", outcome->generation);
    return run_log_reading(str_text(&run->directory), weights, outcome->test_error);
}

static double *copy_organism(const Run *run, const double *parameters) {
    const size_t width = problem_space(run->problem)->count;
    double *copy = mem_alloc(width * sizeof *copy);
    memcpy(copy, parameters, width * sizeof *copy);
    return copy;
}

// The organism that a run ends with, and its last score.
static Status choose_outcome(Run *run, RunOutcome *outcome, int64_t *sample_score) {
    const double *best;
    Status status = OK;
    *sample_score = 0;
    if (evolver_wants_meetings(run->evolver)) {
        const EvolveBatch batch = evolver_ask(run->evolver);
        outcome->best = run_mean_organism(&batch);
        return OK;
    }
    if (problem_is_games(run->problem)) {
        const size_t place = survival_best(run->scores, run->count);
        best = run->organisms + place * problem_space(run->problem)->count;
        *sample_score = run->scores[place];
    } else {
        status = choose_best(run, &best, sample_score);
    }
    if (status == OK)
        outcome->best = copy_organism(run, best);
    return status;
}

static Status save_finished(Run *run, const RunOutcome *outcome, int64_t sample_score) {
    Status status = write_population(run);
    if (status == OK)
        status = run_log_sync(&run->log);
    Checkpoint done = {.fingerprint = problem_fingerprint(run->problem),
                       .log_length = run_log_length(&run->log),
                       .generation = outcome->generation,
                       .is_finished = true,
                       .best_sample_score = sample_score,
                       .best = copy_organism(run, outcome->best),
                       .best_count = problem_space(run->problem)->count};
    evolver_save(run->evolver, &done.evolver);
    if (status == OK)
        status = checkpoint_save(&done, str_text(&run->directory));
    checkpoint_free(&done);
    return status;
}

// The verdict comes after the checkpoint: whoever stops in its games does not lose the evolution.
static Status finish(Run *run, RunOutcome *outcome) {
    int64_t sample_score;
    Status status = choose_outcome(run, outcome, &sample_score);
    if (status != OK)
        return status;
    outcome->is_finished = true;
    const bool is_games = problem_is_games(run->problem);
    if (!is_games)
        status = judge_outcome(run, sample_score, outcome);
    if (status == OK && !is_games)
        status = write_best(run, outcome);
    if (status == OK)
        status = save_finished(run, outcome, sample_score);
    return status == OK && is_games ? judge_outcome(run, sample_score, outcome) : status;
}

// --- one run ---

// Reads the last checkpoint, or the one before it, as far as it fits this run.
static Status load_checkpoint(const Run *run, const EvolveSetup *setup, bool previous,
                              Checkpoint *checkpoint, Evolver **evolver) {
    const char *directory = str_text(&run->directory);
    Status status = checkpoint_load(checkpoint, directory, previous);
    if (status != OK)
        return status;
    if (checkpoint->fingerprint != problem_fingerprint(run->problem))
        status = error_set(ERR_ARG,
                           "%s: its checkpoint belongs to other data or settings; has a data set "
                           "or config.ini changed since?",
                           directory);
    else if (checkpoint->is_finished && checkpoint->best_count != setup->space.count)
        status = error_set(ERR_PARSE, "%s: its checkpoint does not make sense", directory);
    else if ((status = evolver_load(
                  evolver, setup,
                  view_of(str_text(&checkpoint->evolver), checkpoint->evolver.length))) != OK)
        error_prefix("%s/checkpoint%s", directory, previous ? ".previous" : "");
    if (status != OK)
        checkpoint_free(checkpoint);
    return status;
}

// The last checkpoint cannot be used: goes on from the one before it, or says that it could.
static Status fall_back(const Run *run, const EvolveSetup *setup, Status status,
                        Checkpoint *checkpoint, Evolver **evolver) {
    char reason[512];
    snprintf(reason, sizeof reason, "%s", error_message());
    if (load_checkpoint(run, setup, true, checkpoint, evolver) != OK)
        return error_set(status, "%s", reason);
    if (run->files->from_previous)
        return checkpoint_restore(str_text(&run->directory));
    return error_set(status,
                     "%s; the checkpoint before it is of generation %u: --previous goes on from "
                     "there",
                     reason, checkpoint->generation);
}

static Status start_or_load(const Run *run, const EvolveSetup *setup, Checkpoint *checkpoint,
                            Evolver **evolver) {
    const char *directory = str_text(&run->directory);
    if (!checkpoint_exists(directory, false) && !checkpoint_exists(directory, true))
        return evolver_create(evolver, setup);
    const Status status = load_checkpoint(run, setup, false, checkpoint, evolver);
    return status == OK ? OK : fall_back(run, setup, status, checkpoint, evolver);
}

static Status go_on(Run *run, RunOutcome *outcome) {
    const EvolveLoop loop = {.context = run,
                             .evaluate = evaluate,
                             .play = play,
                             .observe = observe,
                             .checkpoint = save_now_and_then,
                             .checkpoint_every = 1,
                             .stop = run->files->stop};
    run->saved_ns = clock_now_ns();
    const uint32_t first = evolver_generation(run->evolver);
    const double last = run->config->algorithm.values[OPTION_GENERATIONS];
    if (evolver_stop_reason(run->evolver) != NULL)
        return error_set(ERR_ARG, "%s: its checkpoint is of generation %u, beyond the end (%s)",
                         str_text(&run->directory), first, evolver_stop_reason(run->evolver));
    progress_start(&run->progress, run->files->progress, "generations", (uint64_t)last, first);
    Status status = evolve_run(run->evolver, &loop, NULL);
    progress_end(&run->progress);
    outcome->generation = run->judged;
    if (status != OK)
        return status;
    return evolver_stop_reason(run->evolver) != NULL ? finish(run, outcome) : save(run);
}

static Status run_one(Run *run, RunOutcome *outcome) {
    const EvolveSetup setup = setup_of(run->problem, run->config, run->index);
    Checkpoint checkpoint = {0};
    *outcome = (RunOutcome){.training_error = NAN, .test_error = NAN, .sample_error = NAN};
    Status status = start_or_load(run, &setup, &checkpoint, &run->evolver);
    if (status == OK && checkpoint.is_finished) {
        outcome->is_finished = true;
        outcome->generation = checkpoint.generation;
        outcome->best = copy_organism(run, checkpoint.best);
        status = judge_outcome(run, checkpoint.best_sample_score, outcome);
    } else if (status == OK) {
        status = run_log_open(&run->log, str_text(&run->directory), checkpoint.log_length);
        if (status == OK)
            status = go_on(run, outcome);
        const Status closed = run_log_close(&run->log);
        status = status != OK ? status : closed;
    }
    checkpoint_free(&checkpoint);
    return status;
}

static Status run_at(uint32_t index, Problem *problem, const RunConfig *config,
                     const RunFiles *files, RunOutcome *outcome) {
    Run run = {.problem = problem, .config = config, .files = files, .index = index};
    run_directory(files->directory, config, index, &run.directory);
    temporary_sweep_folder(str_text(&run.directory));
    const Status status = run_one(&run, outcome);
    str_free(&run.directory);
    evolver_destroy(run.evolver);
    free(run.organisms);
    free(run.scores);
    return status;
}

void run_outcome_free(RunOutcome *outcome) {
    free(outcome->best);
}

// A game that is played again ends as it did, and would make the verdict seem surer than it is.
static Status check_verdict(const Problem *problem, const RunConfig *config, Evolver *evolver) {
    if (!problem_is_games(problem))
        return OK;
    const size_t opponents = evolver_wants_meetings(evolver) ? 1 : evolver_ask(evolver).count;
    const uint64_t most = 2 * problem_duel_pairs(problem, opponents);
    return (uint64_t)config->verdict_games <= most
               ? OK
               : error_set(ERR_ARG,
                           "verdict-games must be at most %" PRIu64
                           ": the openings make no more games that differ",
                           most);
}

Status run_check(const Problem *problem, const RunConfig *config) {
    const EvolveSetup setup = setup_of(problem, config, 0);
    Evolver *evolver;
    Status status = evolver_create(&evolver, &setup);
    if (status != OK)
        return status;
    status = check_verdict(problem, config, evolver);
    if (status != OK || evolver_wants_meetings(evolver)) {
        evolver_destroy(evolver);
        return status;
    }
    // Some settings fail only when they meet scores: errors are negative, hits are not.
    const int64_t sign = problem_goal(problem)->per_position < 0 ? -1 : 1;
    const size_t count = evolver_ask(evolver).count;
    int64_t *scores = mem_alloc((count + 1) * sizeof *scores);
    for (size_t i = 0; i < count; i++)
        scores[i] = sign * (1 + (int64_t)i);
    status = evolver_tell(evolver, scores);
    free(scores);
    evolver_destroy(evolver);
    return status;
}

Status run_all(Problem *problem, const RunConfig *config, const RunFiles *files,
               RunOutcome *outcomes) {
    int lock;
    for (uint32_t i = 0; i < config->runs; i++)
        outcomes[i] = (RunOutcome){0};
    Status status = run_lock(files->directory, &lock);
    if (status != OK)
        return status;
    temporary_sweep_folder(files->directory);
    for (uint32_t i = 0; i < config->runs && status == OK; i++) {
        if (files->stop != NULL && atomic_load(files->stop))
            break;
        status = run_at(i, problem, config, files, &outcomes[i]);
    }
    run_unlock(lock);
    return status;
}
