// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the games of a schedule: several at a time, each thread with engines of its own, here and
// on other ranks, and the results in the order of the schedule, so that at fixed nodes or depth
// nothing depends on how many are played at a time, or where. An engine that fails loses that game
// only.
#pragma once

#include "base/error.h"
#include "dist/ranks.h"
#include "engines/spec.h"
#include "match/play/openings.h"
#include "match/play/tally.h"
#include "match/rating/sprt.h"
#include "match/schedule/schedule.h"

enum { MATCH_CONCURRENCY_MAX = 512 };

typedef struct MatchConfig {
    const EngineSpec *engines; // borrowed; as many as the schedule has players
    ScheduleConfig schedule;
    const Openings *openings; // NULL: the start position
    const SprtConfig *sprt;   // NULL: none. For two engines: ends the match when it is decided
    DistRanks *ranks;         // ranks that play too; NULL: none
    int concurrency;          // games at a time, of each rank
    AdjudicationRules rules;
    int64_t cap_ms;          // of a move without a clock
    int64_t wait_ms;         // between the games of a thread
    const char *live_folder; // where games that go on are told (live_games.h); NULL: nowhere
    int cancel_fd;           // when this becomes readable, games are broken off; -1: never
} MatchConfig;

// Called by one thread at a time. `on_end` comes in the order of the games.
typedef struct MatchEvents {
    void *context;
    void (*on_start)(void *context, const MatchGame *game, uint64_t total);
    void (*on_end)(void *context, const MatchGame *game, const GameRecord *record,
                   const Tally *tally);
} MatchEvents;

// A match and how far it has come.
typedef struct Match Match;

// `config` is borrowed while the match lives.
Match *match_new(const MatchConfig *config);
// NULL is fine.
void match_free(Match *match);

// For games that were played before a resume: the next of the schedule, false when there is none,
// and its result, which must be told before the next is asked for. No event comes of it.
bool match_recall(Match *match, MatchGame *out);
void match_recall_result(Match *match, const MatchGame *game, GameResult result, Fault fault);
// The game that comes next, which stays the next; false where there is none.
bool match_peek(Match *match, MatchGame *out);

// Plays all games that are left; to be called by the main thread where there are other ranks. When
// cancelled, OK too: match_is_over then says no, and games that
// had ended before one that was begun earlier are lost. An engine that cannot be started ends the
// match with its reason.
MUST_CHECK Status match_play(Match *match, const MatchEvents *events);

// The results so far; borrowed.
const Tally *match_tally(const Match *match);
// How many games there will be, as far as is known now.
uint64_t match_total(const Match *match);
// True when every game was played, or the SPRT has decided.
bool match_is_over(const Match *match);
// Who won a knock-out that is over; -1 otherwise.
int match_winner(const Match *match);
// How the SPRT stands; only where the match has one.
SprtState match_sprt(const Match *match);
