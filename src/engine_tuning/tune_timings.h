// SPDX-License-Identifier: GPL-3.0-or-later
// timings.csv: how long a run has taken so far, over all of its parts. Apart from games.jsonl,
// which is the same for every run of the same settings.
#pragma once

#include "base/error.h"

#include <stdio.h>

typedef struct TuneTimings {
    FILE *file;
} TuneTimings;

// Opens DIR/timings.csv, with the seconds that its last line tells; 0 without one.
MUST_CHECK Status tune_timings_open(TuneTimings *timings, const char *directory, double *race_s,
                                    double *verdict_s);
MUST_CHECK Status tune_timings_write(TuneTimings *timings, double race_s, double verdict_s);
void tune_timings_close(TuneTimings *timings);
