// SPDX-License-Identifier: GPL-3.0-or-later
// The candidates of a tuning from a suite, as suite.jsonl tells them: their values, and the effort
// that they took.
#pragma once

#include "engine_tuning/tune_options.h"
#include "serve/tail.h"

// {0} has read nothing.
typedef struct TuningTrials {
    Tail log;
    const TuneOptions *options; // borrowed
    double *rows;               // owned: of each the values, then the effort
    size_t used, capacity;      // numbers in it
} TuningTrials;

void tuning_trials_free(TuningTrials *trials);
// Reads what is new in the folder; true where there was something.
bool tuning_trials_update(TuningTrials *trials, const TuneOptions *options, const char *folder);
// Appends the key "trials": how many there are and, of at most a few hundred of them, number,
// effort, the least effort so far, and of each option the value and the best so far.
void tuning_trials_write(const TuningTrials *trials, Str *out);
