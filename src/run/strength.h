// SPDX-License-Identifier: GPL-3.0-or-later
// How strength grew in a run by games: what it had come to after each part of its generations plays
// those it began with, on openings that evolution has not seen. Kept as strength.csv, so that it is
// played once.
#pragma once

#include "run/files/verdict_file.h"
#include "run/verdict.h"

enum { STRENGTH_POINTS = 8 }; // the last is the end of the run

typedef struct StrengthPoint {
    uint32_t generation;
    VerdictCounts counts;
} StrengthPoint;

typedef struct Strength {
    StrengthPoint points[STRENGTH_POINTS];
    size_t count; // 0: none was played
} Strength;

// Plays setup->games games for each point, unless the file has them: the first of setup->players,
// which is the result of the run, and what genes.csv has of earlier generations, the best where it
// has one and else the mean, against the others in turn. `is_done` is false when told to stop.
MUST_CHECK Status strength_reach(Problem *problem, const VerdictSetup *setup, bool *is_done);
// Reads DIRECTORY/strength.csv; no points where there is none.
MUST_CHECK Status strength_read(const char *directory, Strength *out);
