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

// Plays setup->games games of the first of `players` against the others in turn, from pair number
// `first` of the openings on, and adds to the score; shows `before` games more than it has played.
// `is_done` becomes false when told to stop.
MUST_CHECK Status verdict_play(Problem *problem, const VerdictSetup *setup,
                               const EvolveBatch *players, uint64_t first, uint64_t before,
                               Progress *progress, DuelScore *score, bool *is_done);
// Reads the verdict, or plays the games and writes it. `is_done` is false when told to stop.
MUST_CHECK Status verdict_reach(Problem *problem, const VerdictSetup *setup, DuelScore *out,
                                bool *is_done);
// The score in percent of the points; NaN without games.
double verdict_percent(const DuelScore *score);
// Appends "+60 Elo (95% interval +41 to +80): better than OPPONENT, by ...".
void verdict_describe(const DuelScore *score, const char *opponent, Str *out);
// What the opponent is called in a run of this problem.
const char *verdict_opponent(const Problem *problem);
