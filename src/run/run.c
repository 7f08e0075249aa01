// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run.h"

#include "base/clock.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/moments.h"
#include "base/temporary.h"
#include "evolve/loop.h"
#include "run/files/checkpoint.h"
#include "run/files/population_file.h"
#include "run/run_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t second_ns = 1000000000;

EvolveSetup run_setup(const Problem *problem, const RunConfig *config, uint32_t index) {
    EvolveSetup setup = {.space = *problem_space(problem),
                         .config = config->algorithm,
                         .seed = (uint64_t)config->seed,
                         .run = index,
                         .fresh_scores = problem_draws_afresh(problem)};
    setup.start = problem_start(problem, &setup.start_count);
    setup.units = problem_units(problem);
    return setup;
}

// --- what the loop calls ---

static void keep_organisms(Run *run, const EvolveBatch *batch) {
    run->count = batch->count;
    run->organisms = mem_grow(run->organisms, &run->organism_capacity, batch->count * batch->width,
                              sizeof *run->organisms);
    memcpy(run->organisms, batch->parameters, batch->count * batch->width * sizeof(double));
}

void run_keep_scores(Run *run, const EvolveBatch *batch, const int64_t *scores) {
    run->judged = batch->generation;
    keep_organisms(run, batch);
    run->scores = mem_grow(run->scores, &run->score_capacity, batch->count, sizeof *run->scores);
    memcpy(run->scores, scores, batch->count * sizeof *scores);
}

static Status evaluate(void *context, const EvolveBatch *batch, int64_t *scores) {
    Run *run = context;
    TRY(problem_evaluate(run->problem, run->index, batch, scores));
    run_keep_scores(run, batch, scores);
    return OK;
}

static Status play(void *context, const EvolveBatch *batch, const EvolveMeeting *meetings,
                   size_t count, EvolveResult *results) {
    const Run *run = context;
    return problem_play(run->problem, run->index, PLAY_FOR_EVOLUTION, batch, meetings, count,
                        results);
}

double run_sample_figure(const Run *run, double score) {
    return problem_figure(run->problem, score, problem_sample_size(run->problem));
}

Status run_judge(Run *run, ProblemSet set, const double *parameters, double *figure) {
    int64_t score;
    *figure = NAN;
    if (problem_size(run->problem, set) == 0)
        return OK;
    TRY(problem_judge(run->problem, set, parameters, 1, &score));
    *figure = problem_figure(run->problem, (double)score, problem_size(run->problem, set));
    return OK;
}

// Those before this group are done.
uint64_t run_generations_done(const RunGroup *group) {
    const Run *first = &group->runs[0];
    uint64_t done = (uint64_t)first->config->algorithm.values[OPTION_GENERATIONS] * first->index;
    for (size_t i = 0; i < group->count; i++)
        if (group->runs[i].evolver != NULL)
            done += evolver_generation(group->runs[i].evolver);
    return done;
}

static void show_progress(Run *run, const RunLogLine *line) {
    char note[160], held_out[32] = "", which[32] = "", disk[48] = "";
    const uint64_t stored = problem_stored(run->problem) >> 20;
    if (!isnan(line->held_out))
        snprintf(held_out, sizeof held_out, ", held-out %.2f", line->held_out);
    if (run->config->runs > 1)
        snprintf(which, sizeof which, ", run %u of %" PRId64, run->index + 1, run->config->runs);
    if (stored > 0)
        snprintf(disk, sizeof disk, ", %" PRIu64 " MB of trees on disk", stored);
    if (isnan(line->best))
        snprintf(note, sizeof note, "diversity %.4f%s", line->diversity, which);
    else
        snprintf(note, sizeof note, "best %.2f, mean %.2f%s%s%s", line->best, line->mean, held_out,
                 which, disk);
    progress_show(&run->group->progress, run_generations_done(run->group), note);
}

static RunLogLine line_of(const Run *run, const EvolveStats *stats) {
    RunLogLine line = {.generation = stats->generation,
                       .evaluations = stats->evaluations,
                       .best = NAN,
                       .worst = NAN,
                       .mean = NAN,
                       .median = NAN,
                       .diversity = stats->diversity,
                       .draws = NAN,
                       .plies = NAN,
                       .unchanged = NAN,
                       .from_start = NAN,
                       .start_unchanged = NAN,
                       .mother = NAN,
                       .father = NAN};
    if (stats->has_scores) {
        line.best = run_sample_figure(run, (double)stats->best);
        line.worst = run_sample_figure(run, (double)stats->worst);
        line.mean = run_sample_figure(run, stats->mean);
        line.median = run_sample_figure(run, stats->median);
    }
    if (stats->games > 0) {
        line.draws = 100.0 * (double)stats->draws / (double)stats->games;
        line.plies = (double)stats->plies / (double)stats->games;
    }
    if (stats->has_parents) {
        const EvolveParents *parents = &stats->parents;
        line.mother = run_sample_figure(run, (double)parents->mother_score);
        if (parents->father != EVOLVE_NO_PARENT)
            line.father = run_sample_figure(run, (double)parents->father_score);
        line.has_survived = parents->is_survivor;
    }
    if (stats->has_lineage) {
        line.unchanged = (double)stats->lineage.unchanged;
        line.from_start = (double)stats->lineage.from_start;
        line.start_unchanged = (double)stats->lineage.start_unchanged;
    }
    return line;
}

// Where what comes of a run is a mean, a generation is told of by how its members stand.
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
    line->spread = &spread;
    const Status status = run_log_add(&run->log, line);
    line->spread = NULL;
    return status;
}

// What is told of each organism of the last generation; the caller frees it. NULL without scores.
static double *figures_of(const Run *run) {
    double *figures = run->scores == NULL ? NULL : mem_alloc((run->count + 1) * sizeof *figures);
    for (size_t i = 0; i < run->count && figures != NULL; i++)
        figures[i] = run_sample_figure(run, (double)run->scores[i]);
    return figures;
}

static Status keep_population(Run *run, const EvolveBatch *population) {
    if (!populations_keep(&run->populations.config, population->generation))
        return OK;
    CLEANUP(mem_free_at) double *figures = figures_of(run);
    return populations_add(&run->populations, population, run->scores, figures);
}

static Status keep_meetings(Run *run, uint32_t generation) {
    size_t count;
    if (!problem_is_games(run->problem))
        return OK;
    const Encounter *rows = problem_met(run->problem, &count);
    return meetings_add(&run->meetings, generation, rows, count);
}

// Where meetings take the place of scores.
static Status log_meetings(Run *run, RunLogLine *line) {
    const EvolveBatch batch = evolver_ask(run->evolver);
    run->judged = line->generation;
    keep_organisms(run, &batch);
    return evolver_ends_as_mean(run->evolver) ? log_spread(run, line)
                                              : run_log_add(&run->log, line);
}

static Status observe(void *context, const EvolveStats *stats) {
    Run *run = context;
    RunLogLine line = line_of(run, stats);
    const ProblemSet watched = problem_goal(run->problem)->watched;
    if (problem_is_games(run->problem) && stats->has_scores) {
        line.genes = stats->best_parameters;
        line.gene_count = problem_space(run->problem)->count;
    }
    TRY(run_judge(run, watched, stats->best_parameters, &line.held_out));
    TRY(stats->has_scores ? run_log_add(&run->log, &line) : log_meetings(run, &line));
    const EvolveBatch population = {run->organisms, run->count, problem_space(run->problem)->count,
                                    stats->generation};
    TRY(genes_add(&run->genes, stats->best_parameters, &population));
    TRY(keep_population(run, &population));
    TRY(keep_meetings(run, stats->generation));
    show_progress(run, &line);
    return OK;
}

static Status write_population(const Run *run) {
    CLEANUP(mem_free_at) double *figures = figures_of(run);
    return population_write(str_text(&run->directory), problem_space(run->problem),
                            problem_goal(run->problem)->name, run->organisms, figures, run->count);
}

// The log and the genes must be on disk before the checkpoint that counts on it.
static Status save_as(Run *run, Checkpoint *checkpoint) {
    if (run->count > 0)
        TRY(write_population(run));
    TRY(run_log_sync(&run->log));
    TRY(genes_sync(&run->genes));
    TRY(populations_sync(&run->populations));
    TRY(meetings_sync(&run->meetings));
    checkpoint->fingerprint = problem_fingerprint(run->problem);
    checkpoint->log_length = run_log_length(&run->log);
    evolver_save(run->evolver, &checkpoint->evolver);
    return checkpoint_save(checkpoint, str_text(&run->directory));
}

static Status save(Run *run) {
    CLEANUP(checkpoint_free)
    Checkpoint checkpoint = {.generation = evolver_generation(run->evolver)};
    return save_as(run, &checkpoint);
}

Status run_save_finished(Run *run, const RunOutcome *outcome, int64_t sample_score) {
    CLEANUP(checkpoint_free)
    Checkpoint done = {.generation = outcome->generation,
                       .is_finished = true,
                       .best_sample_score = sample_score,
                       .best = run_copy_organism(run, outcome->best),
                       .best_count = problem_space(run->problem)->count};
    return save_as(run, &done);
}

static Status save_now_and_then(void *context, const Evolver *evolver) {
    Run *run = context;
    // However many runs there are, one is saved each second.
    const int64_t now = clock_now_ns(), told = run->files->checkpoint_every_ns;
    const int64_t every = told > 0 ? told : second_ns * (int64_t)run->group->count;
    (void)evolver;
    // Not after the last generation: whoever goes on from here needs one to choose the best from.
    if (now - run->saved_ns < every || evolver_stop_reason(run->evolver) != NULL)
        return OK;
    run->saved_ns = now;
    return save(run);
}

double *run_copy_organism(const Run *run, const double *parameters) {
    const size_t width = problem_space(run->problem)->count;
    double *copy = mem_alloc(width * sizeof *copy);
    memcpy(copy, parameters, width * sizeof *copy);
    return copy;
}

// --- one run ---

static Status check_fit(const Run *run, const EvolveSetup *setup, const Checkpoint *checkpoint) {
    const char *directory = str_text(&run->directory);
    if (checkpoint->fingerprint != problem_fingerprint(run->problem))
        return error_set(ERR_ARG,
                         "%s: its checkpoint belongs to other data or settings; has a data set "
                         "or config.ini changed since?",
                         directory);
    return !checkpoint->is_finished || checkpoint->best_count == setup->space.count
               ? OK
               : error_set(ERR_PARSE, "%s: its checkpoint does not make sense", directory);
}

// Reads the last checkpoint, or the one before it, as far as it fits this run.
static Status load_checkpoint(const Run *run, const EvolveSetup *setup, bool previous,
                              Checkpoint *checkpoint, Evolver **evolver) {
    const char *directory = str_text(&run->directory);
    checkpoint_free(checkpoint);
    TRY(checkpoint_load(checkpoint, directory, previous));
    TRY(check_fit(run, setup, checkpoint));
    TRY_PREFIX(evolver_load(evolver, setup,
                            view_of(str_text(&checkpoint->evolver), checkpoint->evolver.length)),
               "%s/checkpoint%s", directory, previous ? ".previous" : "");
    return OK;
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

uint32_t run_stage_end(const Run *run) {
    const RunConfig *config = run->config;
    const RunStage *stage = &run->files->stage;
    const double each = config->algorithm.values[OPTION_GENERATIONS];
    if (stage->number >= stage->count || each == 0)
        return UINT32_MAX;
    // Runs that go on together have the same share each.
    if (run_are_together(run->problem, config))
        return (uint32_t)floor(each * stage->number / stage->count);
    const double all = floor(each * (double)config->runs * stage->number / stage->count);
    const double done = all - each * run->index;
    return done <= 0 ? 0 : done >= each ? UINT32_MAX : (uint32_t)done;
}

EvolveLoop run_loop(Run *run) {
    return (EvolveLoop){.context = run,
                        .evaluate = evaluate,
                        .play = play,
                        .observe = observe,
                        .checkpoint = save_now_and_then,
                        .checkpoint_every = 1,
                        .stop = run->files->stop,
                        .until = run_stage_end(run)};
}

// Those that grow with each generation, up to where the checkpoint stands.
static Status open_files(Run *run, const Checkpoint *checkpoint) {
    const char *directory = str_text(&run->directory);
    const EvolveSpace *space = problem_space(run->problem);
    const PopulationsConfig kept = {
        .every = (uint32_t)run->config->keep_every,
        .organisms = (uint32_t)run->config->keep_organisms,
        .last = (uint32_t)run->config->algorithm.values[OPTION_GENERATIONS]};
    TRY(run_log_open(&run->log, directory, checkpoint->log_length));
    TRY(genes_open(&run->genes, directory, space, checkpoint->generation));
    TRY(populations_open(&run->populations, directory, space, &kept, checkpoint->generation));
    return problem_is_games(run->problem)
               ? meetings_open(&run->meetings, directory, &kept, checkpoint->generation)
               : OK;
}

static Status close_files(Run *run, Status status) {
    const Status closed[] = {run_log_close(&run->log), genes_close(&run->genes),
                             populations_close(&run->populations), meetings_close(&run->meetings)};
    for (size_t i = 0; i < sizeof closed / sizeof *closed && status == OK; i++)
        status = closed[i];
    run->is_open = false;
    return status;
}

Status run_enter(Run *run, RunOutcome *outcome) {
    const EvolveSetup setup = run_setup(run->problem, run->config, run->index);
    CLEANUP(checkpoint_free) Checkpoint checkpoint = {0};
    *outcome = (RunOutcome){.training_error = NAN, .test_error = NAN, .sample_error = NAN};
    run_directory(run->files->directory, run->config, run->index, &run->directory);
    temporary_sweep_folder(str_text(&run->directory));
    TRY(folder_create(str_text(&run->directory))); // a record has no empty folders
    TRY(start_or_load(run, &setup, &checkpoint, &run->evolver));
    if (checkpoint.is_finished) {
        outcome->is_finished = true;
        outcome->generation = checkpoint.generation;
        outcome->best = run_copy_organism(run, checkpoint.best);
        return run_end_of(run->problem)->judge(run, checkpoint.best_sample_score, outcome);
    }
    const char *reason = evolver_stop_reason(run->evolver);
    if (reason != NULL)
        return error_set(ERR_ARG, "%s: its checkpoint is of generation %u, beyond the end (%s)",
                         str_text(&run->directory), evolver_generation(run->evolver), reason);
    run->saved_ns = clock_now_ns();
    const Status status = open_files(run, &checkpoint);
    run->is_open = status == OK;
    return status == OK ? OK : close_files(run, status);
}

Status run_leave(Run *run, Status status, RunOutcome *outcome) {
    if (status == OK) {
        outcome->generation = run->judged;
        status = evolver_stop_reason(run->evolver) == NULL
                     ? save(run)
                     : run_end_of(run->problem)->finish(run, outcome);
    }
    return close_files(run, status);
}

void run_outcome_free(RunOutcome *outcome) {
    free(outcome->best);
}

Status run_check(const Problem *problem, const RunConfig *config) {
    const EvolveSetup setup = run_setup(problem, config, 0);
    const RunEnd *end = run_end_of(problem);
    CLEANUP(evolver_destroy_at) Evolver *evolver = NULL;
    TRY(problem_check_test(problem));
    TRY(evolver_create(&evolver, &setup));
    if (end->check != NULL)
        TRY(end->check(problem, config));
    if (evolver_wants_meetings(evolver))
        return OK;
    // Some settings fail only when they meet scores: errors are negative, hits are not.
    const int64_t sign = problem_goal(problem)->per_position < 0 ? -1 : 1;
    const size_t count = evolver_ask(evolver).count;
    CLEANUP(mem_free_at) int64_t *scores = mem_alloc((count + 1) * sizeof *scores);
    for (size_t i = 0; i < count; i++)
        scores[i] = sign * (1 + (int64_t)i);
    return evolver_tell(evolver, scores);
}
