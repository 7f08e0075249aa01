// SPDX-License-Identifier: GPL-3.0-or-later
// What ends the thinking about a move: the same type for what an engine is given for a game, what a
// player is told at its move, and what the search obeys.
#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "chess/move.h"

typedef struct ChessClock {
    int64_t time_ms; // left; 0: there is no clock
    int64_t inc_ms;  // what each move adds
    int moves;       // that the time is for; 0: the rest of the game
} ChessClock;

// What is 0 does not limit. Without any limit a search goes on until it is stopped.
typedef struct Limits {
    ChessClock clock; // of the side to move
    ChessClock other; // of its opponent, as engines are told
    int64_t move_ms;  // a fixed time per move
    int64_t cap_ms;   // wall-clock: a player without an answer then is late
    uint64_t nodes;
    int depth;
    int mate;              // stop once a mate in that many moves is found
    bool infinite;         // even a finished search waits to be stopped
    bool ponder;           // the clock, which runs, ends nothing before the opponent has moved
    int lines;             // best lines to report (MultiPV); 0 means 1
    Move moves[MOVES_MAX]; // search these only, if any
    size_t move_count;
} Limits;

// True when nothing would end a search.
bool limits_are_empty(const Limits *limits);
// True when it matters how long a move takes.
bool limits_have_clock(const Limits *limits);
// Nothing below 0, and no increment or moves without a clock.
bool limits_are_valid(const Limits *limits);

// Sets the clock from [moves/][minutes:]seconds[+increment], or "inf": none. It takes the place of
// a time per move.
MUST_CHECK Status limits_parse_clock(const char *text, Limits *out);
// Sets the time per move, in seconds. It takes the place of a clock.
MUST_CHECK Status limits_parse_move_time(const char *text, Limits *out);
// Appends both as PGN's TimeControl tag has it: "40/120+1", "2+0.02", "1/0.5", or "-" without.
void limits_write_clock(const Limits *limits, Str *out);

// What an engine is given for a game, as bytes; where they are malformed, in->failed is set.
void limits_pack(const Limits *limits, Str *out);
Limits limits_unpack(ByteReader *in);
