// SPDX-License-Identifier: GPL-3.0-or-later
// What evolution by games was worth: the player it ended with against those it began with, in
// games on openings that evolution has not seen. Kept as verdict.csv, so that it is played once.
#pragma once

#include "base/progress.h"
#include "fitness/problem.h"

#include <stdatomic.h>

typedef struct VerdictSetup {
    const EvolveBatch *players; // the first against the others in turn
    uint64_t games;             // even
    uint32_t run;               // runs play from openings of their own
    const char *directory;      // of the run
    FILE *progress;             // NULL: none
    const atomic_bool *stop;    // NULL: never
} VerdictSetup;

// Reads the verdict, or plays the games and writes it. `is_done` is false when told to stop.
MUST_CHECK Status verdict_reach(Problem *problem, const VerdictSetup *setup, DuelScore *out,
                                bool *is_done);
// The score in percent of the points; NaN without games.
double verdict_percent(const DuelScore *score);
// Appends "+60 Elo (95% interval +41 to +80): better than what it came from, by ...".
void verdict_describe(const DuelScore *score, Str *out);
