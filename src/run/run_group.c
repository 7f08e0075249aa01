// SPDX-License-Identifier: GPL-3.0-or-later
// All runs of a directory. Where every generation of every run is judged on the same positions,
// runs go on together, a generation of each at a time, and all their organisms are judged at once:
// the kernels are fastest with many. Each run asks for what it would ask for alone, and gets the
// same scores, so that its files are the same bytes.
#include "base/mem.h"
#include "base/temporary.h"
#include "run/run_internal.h"

#include <stdlib.h>
#include <string.h>

enum { TOGETHER_MOST = 32 }; // runs: each has files open

bool run_are_together(const Problem *problem, const RunConfig *config) {
    return config->runs > 1 && !problem_is_games(problem) && !problem_draws_afresh(problem);
}

// The organisms of all runs that go on, and their scores.
typedef struct Crowd {
    double *organisms;
    int64_t *scores;
    size_t count, organism_capacity, score_capacity;
} Crowd;

static void gather(const RunGroup *group, Crowd *crowd) {
    crowd->count = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (!group->runs[i].is_open)
            continue;
        const EvolveBatch batch = evolver_ask(group->runs[i].evolver);
        const size_t all = crowd->count + batch.count, width = batch.width;
        crowd->organisms = mem_grow(crowd->organisms, &crowd->organism_capacity, all * width,
                                    sizeof *crowd->organisms);
        crowd->scores = mem_grow(crowd->scores, &crowd->score_capacity, all, sizeof *crowd->scores);
        memcpy(crowd->organisms + crowd->count * width, batch.parameters,
               batch.count * width * sizeof *crowd->organisms);
        crowd->count = all;
    }
}

// Tells each run the scores of its organisms; those that are over then end.
static Status tell(RunGroup *group, const Crowd *crowd, RunOutcome *outcomes) {
    const int64_t *scores = crowd->scores;
    for (size_t i = 0; i < group->count; i++) {
        Run *run = &group->runs[i];
        if (!run->is_open)
            continue;
        const EvolveLoop loop = run_loop(run);
        const EvolveBatch batch = evolver_ask(run->evolver);
        run_keep_scores(run, &batch, scores);
        scores += batch.count;
        TRY(evolve_told(run->evolver, &loop, run->scores));
        if (evolve_reason(run->evolver, &loop) != NULL)
            TRY(run_leave(run, OK, &outcomes[i]));
    }
    return OK;
}

static bool has_open(const RunGroup *group) {
    for (size_t i = 0; i < group->count; i++)
        if (group->runs[i].is_open)
            return true;
    return false;
}

static Status step_on(RunGroup *group, RunOutcome *outcomes) {
    Crowd crowd = {0};
    Status status = OK;
    while (status == OK && has_open(group)) {
        gather(group, &crowd);
        const EvolveBatch batch = {crowd.organisms, crowd.count,
                                   problem_space(group->runs[0].problem)->count, 0};
        status = problem_evaluate(group->runs[0].problem, 0, &batch, crowd.scores);
        if (status == OK)
            status = tell(group, &crowd, outcomes);
    }
    free(crowd.organisms);
    free(crowd.scores);
    return status;
}

static Status go_on(RunGroup *group, RunOutcome *outcomes) {
    Run *first = &group->runs[0];
    if (run_are_together(first->problem, first->config))
        return step_on(group, outcomes);
    const EvolveLoop loop = run_loop(first);
    const Status status = first->is_open ? evolve_run(first->evolver, &loop, NULL) : OK;
    return first->is_open && status == OK ? run_leave(first, OK, outcomes) : status;
}

static Status enter_all(RunGroup *group, RunOutcome *outcomes) {
    for (size_t i = 0; i < group->count; i++) {
        Run *run = &group->runs[i];
        TRY(run_enter(run, &outcomes[i]));
        const EvolveLoop loop = run_loop(run);
        // As far as this stage goes, or told to stop at once.
        if (run->is_open && evolve_reason(run->evolver, &loop) != NULL)
            TRY(run_leave(run, OK, &outcomes[i]));
    }
    return OK;
}

static Status run_together(RunGroup *group, RunOutcome *outcomes) {
    const Run *first = &group->runs[0];
    const double each = first->config->algorithm.values[OPTION_GENERATIONS];
    Status status = enter_all(group, outcomes);
    progress_start(&group->progress, first->files->progress, "generations",
                   (uint64_t)each * (uint64_t)first->config->runs, run_generations_done(group));
    if (status == OK)
        status = go_on(group, outcomes);
    progress_end(&group->progress);
    for (size_t i = 0; i < group->count; i++) {
        Run *run = &group->runs[i];
        if (run->is_open)
            status = run_leave(run, status, &outcomes[i]);
        str_free(&run->directory);
        evolver_destroy(run->evolver);
        free(run->organisms);
        free(run->scores);
    }
    return status;
}

static Status run_some(Problem *problem, const RunConfig *config, const RunFiles *files,
                       uint32_t index, size_t count, RunOutcome *outcomes) {
    Run *runs = mem_alloc_zero(count, sizeof *runs);
    RunGroup group = {.runs = runs, .count = count};
    for (size_t i = 0; i < count; i++)
        runs[i] = (Run){.problem = problem,
                        .config = config,
                        .files = files,
                        .index = index + (uint32_t)i,
                        .group = &group,
                        .genes = GENES_FILE_NONE,
                        .populations = POPULATIONS_FILE_NONE,
                        .meetings = MEETINGS_FILE_NONE};
    const bool begins = run_stage_end(&runs[0]) > 0;
    const Status status = begins ? run_together(&group, outcomes) : OK;
    free(runs);
    return status;
}

static bool are_finished(const RunOutcome *outcomes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!outcomes[i].is_finished)
            return false;
    return true;
}

Status run_all(Problem *problem, const RunConfig *config, const RunFiles *files,
               RunOutcome *outcomes) {
    const uint32_t all = (uint32_t)config->runs;
    const uint32_t most = run_are_together(problem, config) ? TOGETHER_MOST : 1;
    int lock;
    for (uint32_t i = 0; i < all; i++)
        outcomes[i] = (RunOutcome){0};
    TRY(run_lock(files->directory, &lock));
    Status status = OK;
    bool is_done = true;
    temporary_sweep_folder(files->directory);
    for (uint32_t i = 0; i < all && status == OK && is_done; i += most) {
        const size_t count = all - i < most ? all - i : most;
        if (files->stop != NULL && atomic_load(files->stop))
            break;
        status = run_some(problem, config, files, i, count, outcomes + i);
        is_done = are_finished(outcomes + i, count);
    }
    run_unlock(lock);
    return status;
}
