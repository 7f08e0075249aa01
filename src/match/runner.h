// SPDX-License-Identifier: GPL-3.0-or-later
// A match of two engines: several games at a time, each thread with its own pair of engines, and
// the results in the order of the games. An engine that fails loses that game only.
#pragma once

#include "base/status.h"
#include "engines/spec.h"
#include "match/elo.h"
#include "match/game.h"
#include "match/openings.h"

enum { MATCH_SIDES = 2, MATCH_CONCURRENCY_MAX = 512 };

typedef struct MatchConfig {
    const EngineSpec *engines[MATCH_SIDES]; // borrowed
    const Openings *openings;               // NULL: the start position
    uint64_t games;
    int concurrency;
    AdjudicationRules rules;
    int64_t cap_ms; // of a move without a clock
    int cancel_fd;  // when this becomes readable, games are broken off; -1: never
} MatchConfig;

// What an engine did wrong, in games.
typedef struct MatchFaults {
    uint64_t late, illegal, crashed, stalled;
} MatchFaults;

typedef struct MatchScore {
    GameCounts games; // from the first engine's view
    PairCounts pairs;
    MatchFaults faults[MATCH_SIDES];
    uint64_t played;
    int last_result; // of the last game, in half points of the first engine
} MatchScore;

// A game of the schedule.
typedef struct MatchGame {
    uint64_t index;   // from 0; games 2k and 2k + 1 are a pair
    uint64_t opening; // number of its opening
    int white;        // which engine
} MatchGame;

// Called by one thread at a time. `on_end` comes in the order of the games.
typedef struct MatchEvents {
    void *context;
    void (*on_start)(void *context, const MatchGame *game);
    void (*on_end)(void *context, const MatchGame *game, const GameRecord *record,
                   const MatchScore *score);
} MatchEvents;

// The schedule: a pure function. Each opening is played twice, with colours reversed.
MatchGame match_game_at(uint64_t index);
// What White and Black of that game play with.
void match_sides(const MatchConfig *config, int white, GameSide out[COLOR_NB]);

// Plays all games. When cancelled, OK too: `score` then has fewer games than the match. An engine
// that cannot be started ends the match with its reason.
MUST_CHECK Status match_run(const MatchConfig *config, const MatchEvents *events,
                            MatchScore *score);
