// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "evolve/loop.h"
#include "study/checkpoint.h"
#include "study/run_log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t checkpoint_every_ns = 1000000000;

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
    // The generation judged last, from which the best is chosen at the end.
    double *organisms;
    int64_t *scores;
    size_t count, organism_capacity, score_capacity;
} Run;

// --- directories ---

static Status make_directory(const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return OK;
    return error_set(ERR_IO, "%s: %s", path, strerror(errno));
}

static void config_path(const char *directory, Str *out) {
    str_clear(out);
    str_addf(out, "%s/config.ini", directory);
}

void run_directory(const char *directory, const RunConfig *config, uint32_t index, Str *out) {
    str_clear(out);
    str_add(out, directory);
    if (config->runs > 1)
        str_addf(out, "/run-%02u", index + 1);
}

Status run_begin(const char *directory, const RunConfig *config) {
    Str path = {0}, text = {0};
    Status status = make_directory(directory);
    config_path(directory, &path);
    if (status == OK && access(str_text(&path), F_OK) == 0)
        status = error_set(ERR_ARG,
                           "%s holds a run already: go on with it (--resume %s), or name another "
                           "directory with -o",
                           directory, directory);
    str_add(&text,
            "; The settings of this run, as resolved. Do not change them while it goes on.\n");
    run_config_write(config, &text);
    if (status == OK)
        status = file_write(str_text(&path), text.text, text.length);
    for (uint32_t i = 0; i < config->runs && status == OK; i++) {
        run_directory(directory, config, i, &path);
        status = make_directory(str_text(&path));
    }
    str_free(&path);
    str_free(&text);
    return status;
}

Status run_open(const char *directory, RunConfig *config) {
    Str path = {0}, text = {0};
    config_path(directory, &path);
    Status status = access(str_text(&path), F_OK) == 0
                        ? file_read(str_text(&path), 1 << 20, &text)
                        : error_set(ERR_IO, "%s holds no run: there is no config.ini", directory);
    if (status == OK)
        status = run_config_parse(config, view_of(str_text(&text), text.length), str_text(&path));
    str_free(&path);
    str_free(&text);
    return status;
}

// --- what the loop calls ---

static Status evaluate(void *context, const EvolveBatch *batch, int64_t *scores) {
    Run *run = context;
    const Status status = problem_evaluate(run->problem, run->index, batch, scores);
    if (status != OK)
        return status;
    run->count = batch->count;
    run->organisms = vec_grow(run->organisms, &run->organism_capacity, batch->count * batch->width,
                              sizeof *run->organisms);
    run->scores = vec_grow(run->scores, &run->score_capacity, batch->count, sizeof *run->scores);
    memcpy(run->organisms, batch->parameters, batch->count * batch->width * sizeof(double));
    memcpy(run->scores, scores, batch->count * sizeof *scores);
    return OK;
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

static Status observe(void *context, const EvolveStats *stats) {
    Run *run = context;
    RunLogLine line = {.generation = stats->generation,
                       .evaluations = stats->evaluations,
                       .best = sample_figure(run, (double)stats->best),
                       .worst = sample_figure(run, (double)stats->worst),
                       .mean = sample_figure(run, stats->mean),
                       .median = sample_figure(run, stats->median),
                       .diversity = stats->diversity};
    Status status = judge_one(run, SET_TEST, stats->best_parameters, &line.test);
    if (status == OK)
        status = run_log_add(&run->log, &line);
    char note[96], held_out[32] = "";
    if (!isnan(line.test))
        snprintf(held_out, sizeof held_out, ", held-out %.2f", line.test);
    snprintf(note, sizeof note, "best %.2f, mean %.2f%s", line.best, line.mean, held_out);
    progress_show(&run->progress, stats->generation, note);
    return status;
}

static Status save(const Run *run, const Evolver *evolver) {
    Checkpoint checkpoint = {.fingerprint = problem_fingerprint(run->problem),
                             .log_length = run_log_length(&run->log),
                             .generation = evolver_generation(evolver)};
    evolver_save(evolver, &checkpoint.evolver);
    const Status status = checkpoint_save(&checkpoint, str_text(&run->directory));
    checkpoint_free(&checkpoint);
    return status;
}

static Status save_now_and_then(void *context, const Evolver *evolver) {
    Run *run = context;
    const int64_t now = clock_now_ns();
    if (now - run->saved_ns < checkpoint_every_ns)
        return OK;
    run->saved_ns = now;
    return save(run, evolver);
}

// --- the end of a run ---

static Status write_population(const Run *run) {
    const EvolveSpace *space = problem_space(run->problem);
    Str text = {0}, path = {0};
    str_add(&text, "organism,error");
    for (size_t j = 0; j < space->count; j++)
        str_addf(&text, ",%s", space->parameters[j].name);
    str_add(&text, "\n");
    for (size_t i = 0; i < run->count; i++) {
        str_addf(&text, "%zu,%.4f", i, sample_figure(run, (double)run->scores[i]));
        for (size_t j = 0; j < space->count; j++)
            str_addf(&text, ",%.17g", run->organisms[i * space->count + j]);
        str_add(&text, "\n");
    }
    str_addf(&path, "%s/population.csv", str_text(&run->directory));
    const Status status = file_write(str_text(&path), text.text, text.length);
    str_free(&text);
    str_free(&path);
    return status;
}

// The best of the last generation on all training positions, the first of equals.
static Status choose_best(Run *run, size_t *best) {
    int64_t *scores = mem_alloc((run->count + 1) * sizeof *scores);
    const Status status =
        problem_judge(run->problem, SET_TRAINING, run->organisms, run->count, scores);
    *best = 0;
    for (size_t i = 1; i < run->count && status == OK; i++)
        if (scores[i] > scores[*best])
            *best = i;
    free(scores);
    return status;
}

static void write_lineage(const Run *run, const RunOutcome *outcome, Str *out) {
    const RunConfig *config = run->config;
    str_addf(out, "method: %s of %.0f organisms, generation %u\n",
             config->algorithm.algorithm->name, config->algorithm.values[OPTION_POPULATION],
             outcome->generation);
    str_addf(out, "seed: %" PRId64 ", run %u\n", config->seed, run->index + 1);
    str_add(out, "data: ");
    problem_describe(run->problem, SET_TRAINING, out);
    str_addf(out, "\nerror: %.4f on the training set, %.4f on the last sample",
             outcome->training_error, outcome->sample_error);
    if (!isnan(outcome->test_error))
        str_addf(out, ", %.4f on the test set", outcome->test_error);
    str_addf(out, "\ncommand: %s\n", str_text(&config->command));
}

static Status write_weights(const Run *run, const RunOutcome *outcome) {
    Weights weights;
    Str path = {0};
    problem_weights(run->problem, outcome->best, &weights);
    write_lineage(run, outcome, &weights.lineage);
    str_addf(&path, "%s/best.weights", str_text(&run->directory));
    const Status status = weights_save(&weights, str_text(&path));
    str_free(&path);
    weights_free(&weights);
    return status;
}

static Status judge_outcome(Run *run, int64_t sample_score, RunOutcome *outcome) {
    outcome->sample_error = sample_figure(run, (double)sample_score);
    Status status = judge_one(run, SET_TRAINING, outcome->best, &outcome->training_error);
    if (status == OK)
        status = judge_one(run, SET_TEST, outcome->best, &outcome->test_error);
    return status;
}

static double *copy_organism(const Run *run, const double *parameters) {
    const size_t width = problem_space(run->problem)->count;
    double *copy = mem_alloc(width * sizeof *copy);
    memcpy(copy, parameters, width * sizeof *copy);
    return copy;
}

static Status finish(Run *run, const Evolver *evolver, RunOutcome *outcome) {
    const size_t width = problem_space(run->problem)->count;
    size_t best;
    Status status = choose_best(run, &best);
    if (status != OK)
        return status;
    outcome->best = copy_organism(run, run->organisms + best * width);
    outcome->is_finished = true;
    status = judge_outcome(run, run->scores[best], outcome);
    if (status == OK)
        status = write_weights(run, outcome);
    if (status == OK)
        status = write_population(run);
    Checkpoint done = {.fingerprint = problem_fingerprint(run->problem),
                       .log_length = run_log_length(&run->log),
                       .generation = outcome->generation,
                       .is_finished = true,
                       .best_sample_score = run->scores[best],
                       .best = copy_organism(run, outcome->best),
                       .best_count = width};
    evolver_save(evolver, &done.evolver);
    if (status == OK)
        status = checkpoint_save(&done, str_text(&run->directory));
    checkpoint_free(&done);
    return status;
}

// --- one run ---

// A checkpoint that cannot be used, and what to do about it.
static Status refuse(const Run *run, Status status) {
    const char *directory = str_text(&run->directory);
    if (!run->files->from_previous && checkpoint_exists(directory, true)) {
        Checkpoint before;
        char reason[512];
        snprintf(reason, sizeof reason, "%s", error_message());
        if (checkpoint_load(&before, directory, true) == OK) {
            status = error_set(status,
                               "%s; the checkpoint before it is of generation %u: --previous goes "
                               "on from there",
                               reason, before.generation);
            checkpoint_free(&before);
        }
    }
    return status;
}

static Status load_checkpoint(Run *run, const EvolveSetup *setup, Checkpoint *checkpoint,
                              Evolver **evolver) {
    const char *directory = str_text(&run->directory);
    Status status = checkpoint_load(checkpoint, directory, run->files->from_previous);
    if (status != OK)
        return refuse(run, status);
    if (checkpoint->fingerprint != problem_fingerprint(run->problem))
        return error_set(ERR_ARG, "%s: its checkpoint belongs to other data or settings",
                         directory);
    status = evolver_load(evolver, setup,
                          view_of(str_text(&checkpoint->evolver), checkpoint->evolver.length));
    if (status != OK) {
        error_prefix("%s/checkpoint", directory);
        return refuse(run, status);
    }
    return OK;
}

static Status go_on(Run *run, Evolver *evolver, RunOutcome *outcome) {
    const EvolveLoop loop = {.context = run,
                             .evaluate = evaluate,
                             .observe = observe,
                             .checkpoint = save_now_and_then,
                             .checkpoint_every = 1,
                             .stop = run->files->stop};
    const int64_t start = run->saved_ns = clock_now_ns();
    const uint32_t first = evolver_generation(evolver);
    const double last = run->config->algorithm.values[OPTION_GENERATIONS];
    progress_start(&run->progress, run->files->progress, "generations", (uint64_t)last, first);
    Status status = evolve_run(evolver, &loop, NULL);
    progress_end(&run->progress);
    outcome->seconds = clock_seconds_since(start);
    outcome->generation = evolver_generation(evolver);
    if (status != OK)
        return status;
    // A run that was resumed at its very end has nothing left to choose from but what it does now.
    const bool is_over = evolver_stop_reason(evolver) != NULL && run->count > 0;
    return is_over ? finish(run, evolver, outcome) : save(run, evolver);
}

static Status start_or_load(Run *run, const EvolveSetup *setup, Checkpoint *checkpoint,
                            Evolver **evolver) {
    const char *directory = str_text(&run->directory);
    if (checkpoint_exists(directory, run->files->from_previous))
        return load_checkpoint(run, setup, checkpoint, evolver);
    return evolver_create(evolver, setup);
}

static Status run_one(Run *run, RunOutcome *outcome) {
    EvolveSetup setup = {.space = *problem_space(run->problem),
                         .config = run->config->algorithm,
                         .seed = (uint64_t)run->config->seed,
                         .run = run->index,
                         .fresh_scores = problem_draws_afresh(run->problem)};
    setup.start = problem_start(run->problem, &setup.start_count);
    Evolver *evolver = NULL;
    Checkpoint checkpoint = {0};
    *outcome = (RunOutcome){.training_error = NAN, .test_error = NAN, .sample_error = NAN};
    Status status = start_or_load(run, &setup, &checkpoint, &evolver);
    if (status == OK && checkpoint.is_finished) {
        outcome->is_finished = true;
        outcome->generation = checkpoint.generation;
        outcome->best = copy_organism(run, checkpoint.best);
        status = judge_outcome(run, checkpoint.best_sample_score, outcome);
    } else if (status == OK) {
        status = run_log_open(&run->log, str_text(&run->directory), checkpoint.log_length);
        if (status == OK)
            status = go_on(run, evolver, outcome);
        const Status closed = run_log_close(&run->log);
        status = status != OK ? status : closed;
    }
    checkpoint_free(&checkpoint);
    evolver_destroy(evolver);
    return status;
}

void run_outcome_free(RunOutcome *outcome) {
    free(outcome->best);
}

Status run_all(Problem *problem, const RunConfig *config, const RunFiles *files,
               RunOutcome *outcomes) {
    Status status = OK;
    for (uint32_t i = 0; i < config->runs; i++)
        outcomes[i] = (RunOutcome){0};
    for (uint32_t i = 0; i < config->runs && status == OK; i++) {
        if (files->stop != NULL && atomic_load(files->stop))
            break;
        Run run = {.problem = problem, .config = config, .files = files, .index = i};
        run_directory(files->directory, config, i, &run.directory);
        status = run_one(&run, &outcomes[i]);
        str_free(&run.directory);
        free(run.organisms);
        free(run.scores);
    }
    return status;
}
