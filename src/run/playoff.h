// SPDX-License-Identifier: GPL-3.0-or-later
// Which organism comes of a run by games: the best of one generation has been lucky, so the bests
// of the last generations play each other on openings that evolution has not seen. In each stage
// everybody meets everybody, and half of them go on. Kept as playoff.csv.
#pragma once

#include "base/progress.h"
#include "fitness/problem.h"

#include <stdatomic.h>

enum { PLAYOFF_MOST = 16 }; // candidates

typedef struct PlayoffSetup {
    uint64_t games; // in all, about
    uint32_t run;
    const char *directory;   // of the run; its log has the candidates
    FILE *progress;          // NULL: none
    const atomic_bool *stop; // NULL: never
} PlayoffSetup;

// The winner: which generation it was the best of, and its parameters in `best`, which is as it was
// where the log has no candidates.
typedef struct PlayoffResult {
    size_t candidates;
    uint32_t generation;
    uint64_t games; // played
    bool is_done;   // false when told to stop
} PlayoffResult;

// What playoff.csv has of a candidate in a stage.
typedef struct PlayoffRow {
    uint32_t stage, generation; // the generation that it was the best of
    uint64_t games;
    double points; // in percent
} PlayoffRow;
typedef void PlayoffVisit(void *context, const PlayoffRow *row);
// Reads the play-off in a run's directory; nothing is told where there was none.
MUST_CHECK Status playoff_each(const char *directory, PlayoffVisit *visit, void *context);
// How many games it had.
MUST_CHECK Status playoff_games(const char *directory, uint64_t *games);

MUST_CHECK Status playoff_choose(Problem *problem, const PlayoffSetup *setup, double *best,
                                 PlayoffResult *result);
