// SPDX-License-Identifier: GPL-3.0-or-later
// Games of one engine against itself with different options: every worker has two processes of it,
// which play as one candidate after the other. Results come in the order of the games.
#pragma once

#include "dist/ranks.h"
#include "engines/spec.h"
#include "match/play/game.h"
#include "match/play/openings.h"

typedef struct CandidateGames CandidateGames;

typedef struct CandidateConfig {
    const EngineSpec *spec; // borrowed, like everything here
    const Openings *openings;
    AdjudicationRules rules;
    int64_t cap_ms;   // of a move without a clock
    int concurrency;  // games at a time in this process
    int stop_fd;      // when this becomes readable, no more games are begun; -1: never
    DistRanks *ranks; // other ranks, as many games at a time on each; NULL: none
} CandidateConfig;

// A game to play. The options are set besides those of the description.
typedef struct CandidateGame {
    EngineOption *options[COLOR_NB]; // of White and Black; borrowed
    size_t option_count;
    uint64_t opening;
} CandidateGame;

// Called in the order of the games, by one thread at a time; a failure ends everything.
typedef Status (*CandidateEnd)(void *context, size_t index, const GameRecord *record);

MUST_CHECK Status candidate_games_open(CandidateGames **out, const CandidateConfig *config);
// NULL is fine.
void candidate_games_close(CandidateGames *games);

// Plays them all. When told to stop, those that have begun are played to their end, and OK is
// returned; `ended` is how many were told of: those before the first that was not begun. An engine
// that cannot be started or set, or crashes again and again before its first move, is ERR_ENGINE.
MUST_CHECK Status candidate_games_play(CandidateGames *games, const CandidateGame *list,
                                       size_t count, CandidateEnd on_end, void *context,
                                       size_t *ended);
