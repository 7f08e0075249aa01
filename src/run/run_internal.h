// SPDX-License-Identifier: GPL-3.0-or-later
// One run while it goes on, and how it ends.
#pragma once

#include "evolve/loop.h"
#include "run/files/genes_file.h"
#include "run/files/meetings_file.h"
#include "run/files/populations_file.h"
#include "run/files/run_log.h"
#include "run/run.h"

typedef struct Run Run;

// Runs that go on together: a generation of each, then the next.
typedef struct RunGroup {
    Run *runs; // neighbours
    size_t count;
    Progress progress;
} RunGroup;

struct Run {
    Problem *problem;
    const RunConfig *config;
    const RunFiles *files;
    uint32_t index;
    Str directory;
    RunLog log;
    GenesFile genes;
    PopulationsFile populations;
    MeetingsFile meetings; // open where organisms play each other
    RunGroup *group;
    bool is_open; // it goes on, and its files are open
    int64_t saved_ns;
    Evolver *evolver;
    // The generation judged last, from which the best is chosen at the end.
    double *organisms;
    int64_t *scores;
    size_t count, organism_capacity, score_capacity;
    uint32_t judged; // its number
};

EvolveSetup run_setup(const Problem *problem, const RunConfig *config, uint32_t index);
// A score on the sample of a generation, as a figure.
double run_sample_figure(const Run *run, double score);
// The figure of an organism on a set; NaN where there is no such set.
MUST_CHECK Status run_judge(Run *run, ProblemSet set, const double *parameters, double *figure);
// The caller frees it.
double *run_copy_organism(const Run *run, const double *parameters);
// Saves the last generation and the checkpoint of a run whose best is chosen.
MUST_CHECK Status run_save_finished(Run *run, const RunOutcome *outcome, int64_t sample_score);

// Generations of all runs of the directory so far.
uint64_t run_generations_done(const RunGroup *group);
// Whether the runs of a directory go on together.
bool run_are_together(const Problem *problem, const RunConfig *config);
// Begins a run, or goes on with it; one that is finished is judged, and not open then.
MUST_CHECK Status run_enter(Run *run, RunOutcome *outcome);
// What its generations call.
EvolveLoop run_loop(Run *run);
// Takes the scores of the batch that was judged.
void run_keep_scores(Run *run, const EvolveBatch *batch, const int64_t *scores);
// Ends an open run, or saves where it stands, and closes its files. With a status other than OK it
// only closes them, and returns that.
MUST_CHECK Status run_leave(Run *run, Status status, RunOutcome *outcome);
// How many generations of each run belong to the stage and those before it; 0: it is not begun.
uint32_t run_stage_end(const Run *run);

// How a run ends: on positions its best is judged by the sets, by games it plays a match.
typedef struct RunEnd {
    // Fails where it could not end as the settings want; NULL where it always can.
    Status (*check)(const Problem *problem, const RunConfig *config);
    // Chooses the best of the last generation, judges it, and saves all.
    Status (*finish)(Run *run, RunOutcome *outcome);
    // Judges the best of a run that was finished before.
    Status (*judge)(Run *run, int64_t sample_score, RunOutcome *outcome);
} RunEnd;

const RunEnd *run_end_of(const Problem *problem);
