// SPDX-License-Identifier: GPL-3.0-or-later
// Boards at which an engine plays itself with other options on each side: one for each thread, and
// the engines stay between games. The same on rank 0 and on ranks that play for it.
#pragma once

#include "dist/service.h"
#include "engines/spec.h"
#include "match/play/game.h"
#include "match/play/openings.h"

typedef struct CandidateBoards CandidateBoards;

// What all games have in common.
typedef struct CandidateRules {
    const EngineSpec *spec; // borrowed
    AdjudicationRules adjudication;
    int64_t cap_ms; // of a move without a clock
} CandidateRules;

// The options of both sides, besides those of the description, as many each.
typedef struct CandidateSides {
    const EngineOption *options[COLOR_NB];
    size_t count;
} CandidateSides;

MUST_CHECK Status candidate_boards_open(CandidateBoards **out, const CandidateRules *rules,
                                        int count);
// NULL is fine. Before the threads that played end: an engine ends with the thread that started it.
void candidate_boards_close(CandidateBoards *boards);
// Plays a game. `sides` is borrowed until the next game at this board.
void candidate_boards_play(CandidateBoards *boards, int board, const Opening *opening,
                           const CandidateSides *sides, GameRecord *out);

// The same for another rank. What it opens, and a game, as bytes.
extern const DistService candidate_service;
void candidate_rules_pack(const CandidateRules *rules, Str *out);
void candidate_game_pack(const Opening *opening, const CandidateSides *sides, Str *out);
