// SPDX-License-Identifier: GPL-3.0-or-later
// Options of an engine evolved from a suite, in place of the race: candidates solve positions, and
// those are better that need fewer nodes, or less time, until the solution is found and kept. Half
// of the positions are never learned from. suite.jsonl has a line for every candidate, and is the
// only state.
#pragma once

#include "dist/ranks.h"
#include "engine_tuning/tune_config.h"

// What came of it: means over positions, of the start values and the best.
typedef struct TuneSuiteOutcome {
    size_t positions, test_positions;
    bool in_ms;      // milliseconds, not nodes
    uint64_t trials; // candidates judged so far, the start values among them
    uint64_t errors; // positions on which the engine failed; each counts as not solved
    double start, best, test_start, test_best; // test: NaN before the end
    bool is_stopped;
} TuneSuiteOutcome;

typedef struct TuneSuiteSetup {
    const TuneConfig *config;
    const char *directory;
    int concurrency, stop_fd;
    DistRanks *ranks;
    void *context;
    void (*on_batch)(void *context); // after each generation
} TuneSuiteSetup;

// Goes on from where the directory stands; `best` gets the values. When told to stop, the positions
// of a generation that was not over are asked again the next time.
MUST_CHECK Status tune_suite_run(const TuneSuiteSetup *setup, double *best, TuneSuiteOutcome *out);

// Appends the effort of the start values and of the best, in words.
void tune_suite_describe(const TuneSuiteOutcome *outcome, Str *out);
// The engine with the limit of a position; to be freed with engine_spec_deinit in any case. ERR_ARG
// where it is neither nodes nor a time.
MUST_CHECK Status tune_suite_spec(const TuneConfig *config, EngineSpec *out);
