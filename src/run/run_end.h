// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves behind when it is over: weights files with their story, and by games a verdict.
#pragma once

#include "run/run.h"

// Which run; all borrowed.
typedef struct RunWeights {
    Problem *problem;
    const RunConfig *config;
    uint32_t index;
    const char *directory; // of this run
} RunWeights;

// Writes an organism of the run as weights, with how it came about; `lines` are added to that.
MUST_CHECK Status run_write_weights(const RunWeights *run, const char *name,
                                    const double *parameters, uint32_t generation,
                                    const char *lines);
// Appends what is known of the best: figures on the sets, or the verdict, a line each.
void run_describe_outcome(const Problem *problem, const RunOutcome *outcome, Str *out);
// The mean of a population; the caller frees it.
double *run_mean_organism(const EvolveBatch *batch);
// By games: lets the best play those it came from, and keeps the undeveloped player. When told to
// stop, the outcome is unfinished.
MUST_CHECK Status run_conclude_games(const RunWeights *run, const EvolveSetup *setup,
                                     const RunFiles *files, RunOutcome *outcome);
