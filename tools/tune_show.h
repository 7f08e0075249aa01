// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer tune says at its end, and what it writes into weights files.
#pragma once

#include "eval/weights.h"
#include "fit/fit_positions.h"

typedef struct TuneEnd {
    const Family *family;
    FitKind kind;
    const double *start, *values; // of each parameter
    const FitOutcome *outcome;
    const char *start_name; // of a weights file, or NULL
    const char *command;
    double seconds;
} TuneEnd;

void tune_print(const TuneEnd *end);
// The fitted weights with their lineage; free them with weights_free.
void tune_weights(const TuneEnd *end, Weights *out);
