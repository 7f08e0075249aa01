// SPDX-License-Identifier: GPL-3.0-or-later
// One run while it goes on, and how it ends.
#pragma once

#include "evolve/evolve.h"
#include "run/files/genes_file.h"
#include "run/files/run_log.h"
#include "run/run.h"

typedef struct Run {
    Problem *problem;
    const RunConfig *config;
    const RunFiles *files;
    uint32_t index;
    Str directory;
    RunLog log;
    GenesFile genes;
    Progress progress;
    int64_t saved_ns;
    Evolver *evolver;
    // The generation judged last, from which the best is chosen at the end.
    double *organisms;
    int64_t *scores;
    size_t count, organism_capacity, score_capacity;
    uint32_t judged; // its number
} Run;

EvolveSetup run_setup(const Problem *problem, const RunConfig *config, uint32_t index);
// A score on the sample of a generation, as a figure.
double run_sample_figure(const Run *run, double score);
// The figure of an organism on a set; NaN where there is no such set.
MUST_CHECK Status run_judge(Run *run, ProblemSet set, const double *parameters, double *figure);
// The caller frees it.
double *run_copy_organism(const Run *run, const double *parameters);
// Saves the last generation and the checkpoint of a run whose best is chosen.
MUST_CHECK Status run_save_finished(Run *run, const RunOutcome *outcome, int64_t sample_score);

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
