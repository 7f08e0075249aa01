// SPDX-License-Identifier: GPL-3.0-or-later
// What is written down of every generation as a run goes: log.jsonl, which is the same for every
// run of the same settings, and timings.csv, which is not.
#pragma once

#include "base/journal.h"

typedef struct RunLog {
    Journal log, timings;
    int64_t started_ns;
    double before; // seconds that earlier starts took
} RunLog;

// Mean and deviation of each parameter over the population.
typedef struct RunLogSpread {
    size_t count;
    const char **names;
    const double *means, *deviations;
} RunLogSpread;

typedef struct RunLogLine {
    uint32_t generation;
    uint64_t evaluations;
    double best, worst, mean, median; // errors on the generation's sample; NaN without scores
    double held_out;                  // of its best on the set that is watched; NaN without one
    double diversity;
    double draws, plies; // share of drawn games in percent, mean plies of games; NaN without games
    // Members as in EvolveLineage; NaN where that is not known.
    double unchanged, from_start, start_unchanged;
    // Figures of those the best comes from, in the generation before; NaN where that is not known.
    double mother, father;
    bool has_survived;   // it is its own mother
    const double *genes; // of the best, where games make each generation's its own; or NULL
    size_t gene_count;
    const RunLogSpread *spread; // where there are no scores, how the members stand; or NULL
} RunLogLine;

// Opens DIR's log to go on after its first `length` bytes; what is behind them is removed.
MUST_CHECK Status run_log_open(RunLog *log, const char *directory, uint64_t length);
MUST_CHECK Status run_log_add(RunLog *log, const RunLogLine *line);
// Brings the log to the disk itself.
MUST_CHECK Status run_log_sync(RunLog *log);
uint64_t run_log_length(const RunLog *log);
MUST_CHECK Status run_log_close(RunLog *log);
// Reads a line back, but for spread and genes.
MUST_CHECK Status run_log_parse(const char *text, RunLogLine *out);
// The mean and the deviation of one parameter in a line; NaN where there is none.
void run_log_parse_spread(const char *text, const char *name, double *mean, double *deviation);

// The genes of the best in a line; false where it has not so many.
bool run_log_parse_genes(const char *text, double *out, size_t count);

// Told of the lines of a log one by one, `index` counted from 0.
typedef void RunLogVisit(void *context, size_t index, const RunLogLine *line);
// Reads DIR's log; ERR_IO, or ERR_PARSE with the line, where it cannot be read or is damaged.
MUST_CHECK Status run_log_each(const char *directory, RunLogVisit *visit, void *context);
// The same with the lines as they stand there; what the callback returns ends it.
typedef Status RunLogTake(void *context, size_t index, const char *text);
MUST_CHECK Status run_log_each_text(const char *directory, RunLogTake *take, void *context);
// The seconds that DIR's run took, over all its starts; NaN where none are told.
MUST_CHECK Status run_log_seconds(const char *directory, double *seconds);
// The same for each of its first generations, which `times` has room for, as it was told last; NaN
// where none is told.
MUST_CHECK Status run_log_times(const char *directory, double *times, size_t count);
// Adds a line to DIR/test-readings.jsonl: the test set was read for these weights, with this
// result. Such lines are never removed, whatever becomes of the run.
MUST_CHECK Status run_log_reading(const char *directory, const char *weights, double figure);
