// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential test of two hypotheses on the Elo difference: play on until one of them is accepted.
// Generalized: the likelihood ratio is that of the likeliest distributions of results that have
// the strength a hypothesis states. Pure maths, total: no games, only wins and huge counts are
// fine.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "match/rating/elo.h"

// What elo0 and elo1 are measured in: see ELO_PER_DEVIATION.
typedef enum SprtModel { SPRT_LOGISTIC, SPRT_NORMALIZED } SprtModel;
extern const char *const sprt_model_names[]; // NULL-terminated

typedef struct SprtConfig {
    double elo0, elo1;  // the difference under H0 and under H1; elo0 < elo1
    double alpha, beta; // how often H1 and H0 may be accepted wrongly
    SprtModel model;
} SprtConfig;

typedef enum SprtVerdict { SPRT_GOES_ON, SPRT_H0, SPRT_H1 } SprtVerdict;

typedef struct SprtState {
    double llr;          // log of the likelihood ratio of H1 to H0; 0 without games
    double lower, upper; // H0 is accepted at `lower` and below, H1 at `upper` and above
    SprtVerdict verdict;
} SprtState;

// Reads "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic": words as cutechess and fastchess take
// them, several in one text or each by itself. elo0 and elo1 are needed, the others have these
// defaults.
MUST_CHECK Status sprt_parse(SprtConfig *out, char *const *words, int count);

// Each game by itself (trinomial).
SprtState sprt_from_games(const SprtConfig *config, const GameCounts *counts);
// Pairs of games taken together (pentanomial).
SprtState sprt_from_pairs(const SprtConfig *config, const PairCounts *counts);

// Appends cutechess's line "SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94 - H1 was accepted",
// and fastchess's with the hypotheses and their model: "LLR: 2.95 (-2.94, 2.94) [0.00, 5.00]
// logistic Elo".
void sprt_describe(const SprtConfig *config, const SprtState *state, Str *out);
