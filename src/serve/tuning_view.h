// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning of an engine's options by games, as its files tell it.
#pragma once

#include "base/str.h"
#include "engine_tuning/tune_options.h"
#include "match/rating/sprt.h"
#include "serve/tail.h"
#include "serve/tuning_fit.h"
#include "serve/tuning_trials.h"

// Values of candidates that are kept; what was played beyond them counts, but is not looked at.
enum { TUNING_VALUES_MAX = 1 << 21 };

// Of the race, and of the tests that follow.
typedef enum TuningStage {
    TUNING_RACE,
    TUNING_VERDICT,
    TUNING_CONFIRMATION,
    TUNING_STAGE_NB
} TuningStage;

// Two games of two candidates from one opening: the points of the first, 0 to 4.
typedef struct TuningPairs {
    uint8_t *points; // owned
    size_t count, capacity;
    uint64_t games; // of whole pairs or not
} TuningPairs;

// A game that waits for the second of its pair.
typedef struct TuningHalf {
    bool is_there;
    TuningStage stage;
    int64_t batch, game;
    int points; // of White
} TuningHalf;

// {0} has read nothing.
typedef struct TuningView {
    Tail log;
    uint64_t games, white_wins, draws, black_wins;
    bool has_settings, is_finished, is_cut;
    Str engine, option_names; // as its settings name them
    TuneOptions options;
    double games_wanted, verdict_wanted;
    SprtConfig sprt;
    Str verdict; // what a finished one says of itself
    TuningPairs pairs[TUNING_STAGE_NB];
    TuningHalf half;
    double *values; // owned: of both candidates of each pair of the race
    size_t value_count, value_capacity;
    uint64_t restarts;   // how often the log was another one
    TuningTrials trials; // where a suite is learned from
    TuningFit fit;       // belongs to whoever fits: see answer_tuning.c
} TuningView;

void tuning_view_free(TuningView *tuning);
// Reads what is new in its folder; true where there was something.
bool tuning_view_update(TuningView *tuning, const char *folder);
// Appends its keys for the list of all; and those of its page but for what was fitted.
void tuning_view_write_summary(const TuningView *tuning, Str *out);
void tuning_view_write(const TuningView *tuning, Str *out);
