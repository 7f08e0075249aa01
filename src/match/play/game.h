// SPDX-License-Identifier: GPL-3.0-or-later
// One game between two players: clocks, limits, and how it ends.
#pragma once

#include "base/str.h"
#include "match/play/adjudicate.h"
#include "match/play/player.h"

enum { GAME_DETAIL_SIZE = 512 };

typedef enum Ending {
    ENDING_NONE,
    ENDING_MATE,
    ENDING_STALEMATE,
    ENDING_REPETITION,
    ENDING_FIFTY_MOVES,
    ENDING_MATERIAL,
    ENDING_RESIGNED, // adjudicated: the loser thinks so too
    ENDING_AGREED,   // adjudicated: both think it even
    ENDING_TOO_LONG, // adjudicated: the most moves a game may have
    ENDING_GAVE_UP,  // the loser said so itself
    ENDING_OFFERED,  // both offered a draw, one after the other
    ENDING_FAULT,    // of the loser, or nobody's and without a result when cancelled
    ENDING_NB,
} Ending;

// Where a game is told to whoever watches (live_games.h).
typedef struct LiveGames LiveGames;
typedef struct LiveGame LiveGame;

typedef struct GameSide {
    Limits limits;
    int margin_ms; // how late a move may come
} GameSide;

typedef struct GameConfig {
    Position start;
    const Move *opening; // borrowed; made before the players think
    size_t opening_count;
    GameSide sides[COLOR_NB];
    AdjudicationRules rules;
    int64_t cap_ms; // of a move without a clock
    LiveGame *live; // borrowed; NULL: nobody watches
} GameConfig;

// What was thought of a move.
typedef struct GameThought {
    int score, depth;
    bool has_score, is_mate;
    int64_t elapsed_ns;
} GameThought;

// How long answers lay there before we saw them: the machine's doing, and in nobody's time.
typedef struct GameLatency {
    int64_t max_ns, sum_ns;
    size_t count; // of moves it was measured for: those against a clock
} GameLatency;

typedef struct GameRecord {
    Position start;
    Move *moves;           // owned
    GameThought *thoughts; // owned, one per move
    size_t count, capacity;
    size_t opening_count; // moves that nobody thought of
    GameResult result;
    Ending ending;
    Color loser; // of a game that has one
    Fault fault; // of ENDING_FAULT
    int replays; // how often it was begun anew, because this program was stopped meanwhile
    char detail[GAME_DETAIL_SIZE]; // what a faulty player did, or ""
    int64_t started_s;             // seconds of the calendar
    int64_t elapsed_ns;
    GameLatency latency;
} GameRecord;

// Plays the game. One against the clock is begun anew where this program was stopped meanwhile
// (suspend.h): what a player's time was then, nobody knows. Players' faults end it; they are in the
// record. Both players must be fit for another new_game afterwards, whatever happened.
void game_play(const GameConfig *config, const Player *white, const Player *black, GameRecord *out);
void game_record_deinit(GameRecord *record);
// Whether its parts agree: a fault only where one ended it, a result unless it was cancelled.
bool game_record_is_valid(const GameRecord *record);

// Appends "White mates", "Black loses on time" ...: cutechess's words.
void game_describe_ending(const GameRecord *record, Str *out);
// The value of PGN's Termination tag: "normal", "time forfeit" ...; this one where the rules of the
// match ended it.
extern const char termination_adjudicated[];
const char *game_termination(const GameRecord *record);
