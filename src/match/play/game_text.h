// SPDX-License-Identifier: GPL-3.0-or-later
// Played games as text: PGN with what the players thought, {+0.31/12 0.50s}, and lines of JSON;
// what a resume needs of such a line; and whether text that lies on the disk is a certain game.
#pragma once

#include "chess/pgn.h"
#include "match/play/game.h"
#include "match/schedule/schedule.h"

typedef struct GameNames {
    const char *event, *white, *black;
    uint64_t round;        // from 1
    const GameSide *sides; // of White and Black: their time controls
    const char *site;      // NULL: not known
    bool is_chess960;      // the rules of the match, wherever this game began
} GameNames;

// Appends the game. Illegal moves are not in it: they were never made.
MUST_CHECK Status game_write_pgn(const GameRecord *record, const GameNames *names, Str *out);

// All zero: as above.
typedef struct GameStyle {
    PgnNotation notation;
    bool is_minimal; // no tags but those that PGN needs, and no comments
} GameStyle;

MUST_CHECK Status game_write_pgn_in(const GameRecord *record, const GameNames *names,
                                    const GameStyle *style, Str *out);
// Appends the position that the game ended in, as a line of EPD.
void game_write_epd(const GameRecord *record, Str *out);

typedef struct GameLine {
    uint64_t number;      // of the game, from 1
    uint64_t pgn_bytes;   // of the tournament's PGN, up to and with this game
    StrView white, black; // names, as they are written in JSON; borrowed from the line
    GameResult result;
    Fault fault;
    bool is_adjudicated; // by the rules of the match: no mate, draw or fault ended it
} GameLine;

// Appends a line: number, round, players, result and how it came about, times, opening and moves;
// `pgn_bytes` is left out when it is 0.
void game_write_json(const GameRecord *record, const MatchGame *game, const GameNames *names,
                     uint64_t pgn_bytes, Str *out);
// When the game of a line ended, in seconds since 1970; below all times where it does not say.
double game_json_end_s(StrView line);
// Reads it back; ERR_PARSE for what is no such line.
MUST_CHECK Status game_parse_json(StrView line, GameLine *out);

// What a process that was killed while it wrote leaves: a game, or the beginning of one.
typedef enum GameText { GAME_TEXT_OTHER, GAME_TEXT_PART, GAME_TEXT_WHOLE } GameText;

// Of text such as game_write_pgn's, by its round and players; times, moves and result may be any. A
// whole game is followed by nothing.
GameText game_text_in_pgn(StrView text, const GameNames *names);
// True when a line such as game_write_json's begins as this game's does.
bool game_text_in_json(StrView text, const MatchGame *game, const GameNames *names);
