// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of evolution in a directory: config.ini as resolved, then for each run log.jsonl (a line per
// generation), genes.csv, populations.csv, timings.csv, population.csv, best.weights and a
// checkpoint. Where organisms learn by games there are meetings.csv and verdict.csv too, and where
// they learn by meetings undeveloped.weights: the mean of the population at the start, as
// best.weights is that of its end. All but the timings are the same bytes whatever the threads, and
// whether or not a run was stopped and went on.
#pragma once

#include "base/progress.h"
#include "fitness/problem.h"
#include "run/run_folder.h"

#include <stdatomic.h>

// The first `number` of `count` equal shares of all generations of all runs; all zero: everything.
typedef struct RunStage {
    uint32_t number, count;
} RunStage;

typedef struct RunFiles {
    const char *directory; // of all runs
    FILE *progress;        // NULL: no progress line
    const atomic_bool *stop;
    int64_t checkpoint_every_ns; // 0: a second
    RunStage stage;              // how far to go this time
    bool from_previous; // where the last checkpoint cannot be used, go on from the one before it
} RunFiles;

// How one run ended.
typedef struct RunOutcome {
    bool is_finished;
    uint32_t generation;
    double sample_error, training_error, test_error; // of the best; the test's NaN without a set
    double *best;                                    // parameters; owned
    bool has_verdict; // of games; by games alone, the training figure is its points
    DuelScore verdict;
    uint64_t evaluations; // of organisms, or games
} RunOutcome;

// Fails where an evolution with these settings could not begin: for a look before anything is
// written.
MUST_CHECK Status run_check(const Problem *problem, const RunConfig *config);
// Runs them all, going on where each stands, and fills one outcome for each. Stops between
// generations when told to, or at the end of a stage: then outcomes are unfinished. Holds the
// directory meanwhile.
MUST_CHECK Status run_all(Problem *problem, const RunConfig *config, const RunFiles *files,
                          RunOutcome *outcomes);
void run_outcome_free(RunOutcome *outcome);
