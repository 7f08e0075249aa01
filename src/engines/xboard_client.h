// SPDX-License-Identifier: GPL-3.0-or-later
// An engine in another process that speaks the XBoard protocol (CECP), version 2 with `feature` or
// the first version. Every wait has a deadline of its own; a client that failed once answers only
// with failure and is there to be closed. The protocol has no limit by nodes, and we send no
// SIGINT: an engine that must be interrupted to listen does not hear that its time is up.
#pragma once

#include "chess/position.h"
#include "engines/engine_link.h"
#include "engines/xboard_text.h"

typedef struct XboardClient XboardClient;

enum { XBOARD_TEXT_SIZE = 16 };

typedef struct XboardConfig {
    const EngineSpec *spec; // borrowed while the client lives
    int cancel_fd;          // waiting ends when this becomes readable; -1: none
    int feature_ms;         // for an engine to tell of its features; 0: the protocol's 2 seconds
    int start_ms;           // for one that asked for more time (done=0); 0: 20 seconds
} XboardConfig;

// Who is told of each line of thinking, with the time since "go".
typedef struct XboardListener {
    void *context;
    void (*on_info)(void *context, const XboardInfo *info, int64_t elapsed_ns);
} XboardListener;

typedef struct XboardAnswer {
    Move move; // MOVE_NONE when `text` is no legal move, or it resigned
    char text[XBOARD_TEXT_SIZE];
    bool has_resigned, offers_draw;
    bool has_info;
    XboardInfo info; // as told last, without its pv
    int64_t elapsed_ns,
        latency_ns; // until it came, and until we saw it then: see process_latency_ns
    bool is_late;   // came after the cap, when we had said "?"
} XboardAnswer;

// Starts the engine, learns its features and sets its options, each checked against what it
// declared; `memory` (in MB) and `cores` are options of engines with these features.
MUST_CHECK Status xboard_client_open(XboardClient **out, const XboardConfig *config);
// Says quit and makes sure of it. NULL is fine.
void xboard_client_close(XboardClient *client);

// Gets it ready for a game from `start`. ERR_ARG when it can only start where chess does.
MUST_CHECK Status xboard_client_new_game(XboardClient *client, const Position *start);
// A move was played, by whomever. Nothing is sent yet.
void xboard_client_push_move(XboardClient *client, Move move);
// Lets it think and waits for its move. ERR_ARG when it does not know a limit.
// `listener` may be NULL.
MUST_CHECK Status xboard_client_go(XboardClient *client, const Limits *limits,
                                   const XboardListener *listener, XboardAnswer *out);
// Tells how the game ended.
void xboard_client_end_game(XboardClient *client, GameResult result);

Fault xboard_client_fault(const XboardClient *client);
// False when it must be started anew for every game.
bool xboard_client_is_reusable(const XboardClient *client);
// Its name for itself, or "".
const char *xboard_client_id(const XboardClient *client);
