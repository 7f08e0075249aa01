// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run that tunes an engine's options, and config.ini, which holds them.
#pragma once

#include "engine_tuning/tune_options.h"
#include "match/play/adjudicate.h"
#include "match/rating/sprt.h"

typedef enum TuneMethod { TUNE_BY_RACE, TUNE_BY_SPSA } TuneMethod;
extern const char *const tune_method_names[]; // NULL at the end

typedef struct TuneConfig {
    char *engine;    // owned: the words of its description
    EngineSpec spec; // made of them
    TuneOptions options;
    Str openings;    // path of an EPD file
    Str command;     // what the user typed, or empty
    Str confirm;     // limits of a second test, such as tc=10+0.1; empty: there is none
    Str suite;       // path of an EPD file to learn from, in place of games; empty: none
    Str suite_limit; // of each of its positions, nodes= or st=; empty: the engine's own
    int64_t trials;  // candidates that solve it
    int64_t method;
    int64_t seed;
    int64_t games;         // of the race at the most; 0: no limit
    int64_t minutes;       // the same in time
    int64_t verdict_games; // of the test at the end, at the most
    int64_t seats, share;  // as in RaceConfig
    int64_t equal_shares;  // 1: no racing
    int64_t cap_s;         // of a move without a clock
    AdjudicationRules rules;
    SprtConfig sprt;
} TuneConfig;

// True where options are learned from a suite, and games are for the test alone.
static inline bool tune_config_has_suite(const TuneConfig *config) {
    return config->suite.length > 0;
}

// The defaults: nothing to tune, and no engine.
TuneConfig tune_config_init(void);
void tune_config_free(TuneConfig *config);

// Describes the engine: words as in cutechess, or only its path.
MUST_CHECK Status tune_config_set_engine(TuneConfig *config, const char *text);
// The engine with the limits of the second test; to be freed with engine_spec_deinit in any case.
MUST_CHECK Status tune_config_confirm_spec(const TuneConfig *config, EngineSpec *out);
// To be called when everything is said: an engine, a limit, something to tune, bounds in order.
MUST_CHECK Status tune_config_check(const TuneConfig *config);

// The text of config.ini, and back.
void tune_config_write(const TuneConfig *config, Str *out);
MUST_CHECK Status tune_config_read(TuneConfig *config, const char *path);
