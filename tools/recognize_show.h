// SPDX-License-Identifier: GPL-3.0-or-later
// What recognition found, for people and as JSON lines, on standard output.
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

void recognize_show_verdict(const Verdict *verdict, bool is_json);
void recognize_show_trial(const Trial *trial, const PlayerModels *models, bool is_json);
