// SPDX-License-Identifier: GPL-3.0-or-later
// What is made of the evidence of some games: who is likeliest, and whether that is an answer.
#pragma once

#include "players/player_models.h"
#include "players/recognition.h"

// The moves of some games, and what is made of them.
typedef struct Verdict {
    const PlayerModels *models;
    const Recognition *recognition;
    const Evidence *evidence;
    const double *prior; // NULL: all alike
    RecognitionRule rule;
    double threshold; // a lesser probability is no answer
    size_t games;
} Verdict;

// Players by probability, the likeliest first.
typedef struct VerdictRanking {
    double posterior[MOVE_SCORES_LANES];
    size_t order[MOVE_SCORES_LANES];
    bool is_told; // the first is likely enough to be the answer
} VerdictRanking;

void verdict_rank(const Verdict *verdict, VerdictRanking *out);
// Appends the names of those that agree with the most moves.
void verdict_add_agreeing(const Verdict *verdict, Str *out);
// Appends one JSON object.
void verdict_write_json(const Verdict *verdict, Str *out);
