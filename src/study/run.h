// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of evolution in a directory: config.ini as resolved, then for each run log.jsonl (a line per
// generation), timings.csv, population.csv, best.weights and a checkpoint. All but the timings are
// the same bytes whatever the threads, and whether or not a run was stopped and went on.
#pragma once

#include "base/progress.h"
#include "study/problem.h"

#include <stdatomic.h>

typedef struct RunFiles {
    const char *directory; // of all runs
    FILE *progress;        // NULL: no progress line
    const atomic_bool *stop;
    bool from_previous; // go on from the checkpoint before the last
} RunFiles;

// How one run ended.
typedef struct RunOutcome {
    bool is_finished;
    uint32_t generation;
    double sample_error, training_error, test_error; // of the best; the test's NaN without a set
    double seconds;                                  // of this session
    double *best;                                    // parameters; owned
} RunOutcome;

// Makes the directory and writes the settings; ERR_ARG where it holds a run already.
MUST_CHECK Status run_begin(const char *directory, const RunConfig *config);
// Reads the settings back; ERR_IO, with the reason, where there is no run.
MUST_CHECK Status run_open(const char *directory, RunConfig *config);
// Runs them all, going on where each stands, and fills one outcome for each. Stops between
// generations when told to: then outcomes are unfinished.
MUST_CHECK Status run_all(Problem *problem, const RunConfig *config, const RunFiles *files,
                          RunOutcome *outcomes);
void run_outcome_free(RunOutcome *outcome);
// The directory of one run: the run's own, or run-01 and so on inside it.
void run_directory(const char *directory, const RunConfig *config, uint32_t index, Str *out);
