// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer tune prints of a fit.
#pragma once

#include "eval/family.h"
#include "fit/fit_positions.h"

typedef struct TuneEnd {
    const Family *family;
    FitKind kind;
    const double *start, *values; // of each parameter
    const FitOutcome *outcome;
    const char *start_name; // of a weights file, or NULL
    const char *command;
    const double *low, *high; // the box
    double seconds;
    Str verdict; // of games, in words; owned by the caller
} TuneEnd;

// Data, losses, errors, the pull, which weights moved most, and warnings.
void tune_show(const TuneEnd *end);
