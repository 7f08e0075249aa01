// SPDX-License-Identifier: GPL-3.0-or-later
// Whether fitted weights play better than those they started from: a sequential test by games.
#pragma once

#include "dist/pool.h"
#include "eval/weights.h"
#include "match/rating/sprt.h"

#include <stdio.h>

typedef struct FitVerdictConfig {
    uint64_t games;       // at most; even
    uint64_t nodes;       // of a move
    const char *openings; // a file of data/ or a path
    uint64_t seed;
    FILE *progress; // NULL: none
} FitVerdictConfig;

typedef enum FitAnswer { ANSWER_BETTER, ANSWER_WORSE, ANSWER_CANNOT_TELL } FitAnswer;

typedef struct FitVerdict {
    GameCounts games;
    PairCounts pairs;
    FitAnswer answer;
} FitVerdict;

// Plays pairs of games from openings of which none comes twice, until the test is decided or the
// games are played. The same for any number of threads.
MUST_CHECK Status fit_verdict_play(const FitVerdictConfig *config, const Weights *fitted,
                                   const Weights *start, DistPool *pool, FitVerdict *out);
// Appends "+31 Elo (95% interval +12 to +50) in 1,000 games of 5,000 nodes a move".
void fit_verdict_describe(const FitVerdict *verdict, const FitVerdictConfig *config, Str *out);
