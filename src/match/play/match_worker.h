// SPDX-License-Identifier: GPL-3.0-or-later
// Games as jobs of workers, on whatever rank: engines run where the game is played, and the clock
// there is the one that counts. A worker keeps its engines running between games. A game depends on
// nothing but the rules and the job.
#pragma once

#include "dist/service.h"
#include "match/play/engine_set.h"
#include "match/play/game.h"
#include "match/play/openings.h"

// What all games of an event have in common: shared by the workers of `match_service`.
typedef struct MatchRules {
    EngineSet engines; // owned
    AdjudicationRules adjudication;
    int64_t cap_ms;  // of a move without a clock
    int64_t wait_ms; // between the games of a worker
    int workers;     // in this process: many keep fewer engines running each
    LiveGames *live; // of this process alone, borrowed; NULL: nobody watches
} MatchRules;

// Free it with match_rules_free, whatever came of it.
void match_rules_pack(const MatchRules *rules, Str *out);
MUST_CHECK Status match_rules_unpack(MatchRules *out, StrView bytes, int workers);
void match_rules_free(MatchRules *rules);

// A game to play.
typedef struct MatchJob {
    uint64_t number;  // from 1
    int white, black; // of the engines
    Opening opening;
    // Options of White and Black, besides those of their descriptions; for UCI engines alone.
    EngineOption *options[COLOR_NB];
    size_t option_count;
} MatchJob;

void match_job_pack(const MatchJob *job, Str *out);
// Everything is checked: both are of the engines, and not the same. Where the bytes are malformed,
// in->failed is set. Free the options with match_job_free, whatever came of it.
void match_job_unpack(ByteReader *in, const EngineSet *engines, MatchJob *out);
void match_job_free(MatchJob *job);

// Plays jobs. An engine that cannot be started is a failure; all else is in the record.
extern const DistService match_service;
// The record that it gave. Free it with game_record_deinit.
MUST_CHECK Status match_answer_unpack(StrView bytes, GameRecord *out);

// What White and Black of a game play with.
void match_worker_sides(const EngineSpec *white, const EngineSpec *black, GameSide out[COLOR_NB]);
// How many files, pipes and the like so many workers have open at a time.
uint64_t match_worker_descriptors(size_t engines, int workers);
