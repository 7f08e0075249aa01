// SPDX-License-Identifier: GPL-3.0-or-later
// Who plays a game, whatever it is: an engine in another process, or an organism in this one. A
// player belongs to one thread at a time.
#pragma once

#include "chess/limits.h"
#include "chess/position.h"
#include "engines/fault.h"

// What a player thinks best at some moment.
typedef struct PlayerLine {
    Move first;              // of the line; MOVE_NONE when it is no legal move
    bool has_score, is_mate; // is_mate: `score` counts moves to mate
    int score, depth;        // from the mover's view
    uint64_t nodes;
    int64_t elapsed_ns; // since it began to think
} PlayerLine;

// Who is told of each of these lines, in the thread that waits for the answer.
typedef struct PlayerListener {
    void *context;
    void (*on_line)(void *context, const PlayerLine *line);
} PlayerListener;

enum { PLAYER_TEXT_SIZE = 16 };

typedef struct PlayerAnswer {
    Move move; // legal where there is no fault, or only FAULT_LATE; none if it resigned
    char text[PLAYER_TEXT_SIZE]; // as given, for messages
    bool has_score, is_mate;     // is_mate: `score` counts moves to mate
    int score, depth;            // from the mover's view
    uint64_t nodes;
    bool has_resigned, offers_draw;
    int64_t elapsed_ns; // the player's own time, without `latency_ns`
    int64_t latency_ns; // how long the answer lay there before we saw it, as far as we know
} PlayerAnswer;

// What a kind of player can do. Where a fault is returned, error_message() tells more.
typedef struct PlayerOps {
    // Gets ready for a game from `start`; what broke before is started again.
    Fault (*new_game)(void *self, const Position *start);
    // A move was played, by whomever.
    void (*push_move)(void *self, Move move);
    // Chooses a move in `pos`, which is where the pushed moves led. `listener` may be NULL.
    Fault (*think)(void *self, const Position *pos, const Limits *limits,
                   const PlayerListener *listener, PlayerAnswer *out);
    // The game is over, however it went, also when new_game failed. May be NULL.
    void (*end_game)(void *self, GameResult result);
    void (*close)(void *self);
} PlayerOps;

typedef struct Player {
    const PlayerOps *ops;
    void *self;
    const char *name; // borrowed
} Player;
