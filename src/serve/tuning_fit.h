// SPDX-License-Identifier: GPL-3.0-or-later
// What the games of a race say of the options so far: the best values and how sure they are, after
// so many games, and strength over each option. The same model as the race itself has, fitted to
// all of its games at a few places of its log.
#pragma once

#include "base/str.h"
#include "engine_tuning/tune_options.h"
#include "evolve/duel_model.h"

enum { TUNING_PATH_MAX = 64, TUNING_SLICE_POINTS = 41 };

// {0} has seen no games; everything owned.
typedef struct TuningFit {
    DuelModel *model;
    size_t size;    // options
    size_t taken;   // pairs of the log that the model has
    size_t stride;  // pairs between places
    uint64_t epoch; // of the log that they are of
    // A row for each place: pairs, then of each option the best value, its deviation, and the mean
    // of what was tried since the place before.
    double *rows;
    size_t row_count;
    bool is_last_loose; // the last row is not at a place, and goes with the next
    double *tried;      // sums since the last row
    size_t tried_count;
} TuningFit;

void tuning_fit_free(TuningFit *fit);
// Begins anew, for these options.
void tuning_fit_begin(TuningFit *fit, const TuneOptions *options, uint64_t epoch);
// How many pairs there are to be at the next place.
size_t tuning_fit_next(const TuningFit *fit);
// Adds a pair: both candidates' values, and the points of the first.
void tuning_fit_add(TuningFit *fit, const TuneOptions *options, const double *values, int points);
// Fits the model to what was added, and notes where the values are.
void tuning_fit_run(TuningFit *fit, const TuneOptions *options);
// Appends the keys "path" and "slices".
void tuning_fit_write(const TuningFit *fit, const TuneOptions *options, Str *out);
