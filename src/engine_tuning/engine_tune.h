// SPDX-License-Identifier: GPL-3.0-or-later
// Evolves options of an engine by games: a race of candidates, or candidates that solve a suite;
// then a test of the winner against the start values on openings that the race has not seen. At
// fixed nodes or depth a run is the same for any number of threads, and however often it was broken
// off and resumed.
#pragma once

#include "dist/ranks.h"
#include "engine_tuning/tune_config.h"
#include "engine_tuning/tune_landscape.h"
#include "engine_tuning/tune_suite.h"
#include "engines/fault.h"
#include "evolve/race.h"
#include "report/report.h"

#include <stdio.h>

typedef struct TuneFiles {
    const char *directory;
    int concurrency;
    int stop_fd;      // when this becomes readable, games that have begun are ended; -1: never
    DistRanks *ranks; // other ranks that play too, or NULL
} TuneFiles;

// A test of the winner against the start values.
typedef struct TuneTest {
    uint64_t games, limit; // played, and how many the openings allow
    PairCounts pairs;      // from the winner's view
    SprtState sprt;
} TuneTest;

typedef struct TuneOutcome {
    bool is_stopped;         // before the end
    bool is_in_verdict;      // the race is over
    bool is_in_confirmation; // and so is the verdict
    double *best;            // owned: the winner's values
    double gain, deviation;  // in Elo over the start values, by the games of the race
    RaceCounts race;
    uint64_t race_games;
    TuneTest verdict, confirmation; // the latter with other limits, where that is asked for
    FaultCounts faults;             // of whichever candidate
    double race_s, tests_s;         // on the clock, over all of its parts
    TuneLandscape landscape;        // for the page
    TuneSuiteOutcome suite;         // where it took the place of the race
} TuneOutcome;

typedef struct TuneEvents {
    void *context;
    void (*on_batch)(void *context, const TuneOutcome *so_far);
} TuneEvents;

// The names of the files in a run's directory; NULL at the end.
extern const char *const engine_tune_files[];
// Makes the directory, with config.ini; ERR_ARG where it holds a run already.
MUST_CHECK Status engine_tune_begin(const TuneConfig *config, const char *directory);
// Reads the settings of a run back.
MUST_CHECK Status engine_tune_open(TuneConfig *config, const char *directory);

// True for the directory of such a run.
bool engine_tune_is_run(const char *directory);

// Goes on from where the directory stands, to the end or until told to stop. Free `out` in any
// case.
MUST_CHECK Status engine_tune_run(const TuneConfig *config, const TuneFiles *files,
                                  const TuneEvents *events, TuneOutcome *out);
void tune_outcome_free(TuneOutcome *outcome);

// --- what came of it: in words, and as files ---

// Appends how many Elo, how sure, what it cost, and what more would cost.
void tune_outcome_describe(const TuneConfig *config, const TuneOutcome *outcome, Str *out);
// The part of it that is the verdict: without times, which differ between equal runs.
void tune_outcome_judge(const TuneConfig *config, const TuneOutcome *outcome, Str *out);
// "better", "not better", "not shown to be better".
const char *tune_outcome_conclusion(const TuneConfig *config, const TuneOutcome *outcome);
// The page on a run that is over: the values, how they went, and strength over the options. The
// caller destroys it.
Report *tune_outcome_report(const TuneConfig *config, const TuneOutcome *outcome);
// Writes DIR/report.html, DIR/verdict.txt, DIR/tuned.ini (which can be tuned further) and
// DIR/tuned.json, the latter two with their lineage, and DIR/tuned.spsa, lines of OpenBench.
MUST_CHECK Status tune_outcome_write(const TuneConfig *config, const TuneOutcome *outcome,
                                     const char *directory);
