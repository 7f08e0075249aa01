// SPDX-License-Identifier: GPL-3.0-or-later
// Played games as lines of JSON, one each, and what a resume needs of such a line.
#pragma once

#include "match/play/game_pgn.h"
#include "match/schedule/schedule.h"

typedef struct GameLine {
    uint64_t number;      // of the game, from 1
    uint64_t pgn_bytes;   // of the tournament's PGN, up to and with this game
    StrView white, black; // names, as they are written in JSON; borrowed from the line
    GameResult result;
    Fault fault;
} GameLine;

// Appends a line: number, round, players, result and how it came about, times, opening and moves;
// `pgn_bytes` is left out when it is 0.
void game_write_json(const GameRecord *record, const MatchGame *game, const GameNames *names,
                     uint64_t pgn_bytes, Str *out);
// What such a line begins with: all that is known before the game.
void game_begin_json(const MatchGame *game, const GameNames *names, Str *out);
// When the game of a line ended, in seconds since 1970; below all times where it does not say.
double game_json_end_s(StrView line);
// Reads it back; ERR_PARSE for what is no such line.
MUST_CHECK Status game_parse_json(StrView line, GameLine *out);
