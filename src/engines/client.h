// SPDX-License-Identifier: GPL-3.0-or-later
// An engine in another process, whatever protocol it speaks. Knows no tournaments. Every wait has a
// deadline of its own; a client that failed once answers only with failure and is there to be
// closed. The XBoard protocol (CECP), version 2 with `feature` or the first version, has no limit
// by nodes, and we send no SIGINT: an engine that must be interrupted to listen does not hear that
// its time is up.
#pragma once

#include "chess/position.h"
#include "engines/fault.h"
#include "engines/spec.h"
#include "engines/uci_text.h"

typedef struct EngineClient EngineClient;

enum { CLIENT_TEXT_SIZE = 16, CLIENT_PV_SIZE = 512, CLIENT_LINES_MAX = 8 };

typedef struct ClientConfig {
    const EngineSpec *spec; // borrowed while the client lives
    int cancel_fd;          // waiting ends when this becomes readable; -1: none
    bool is_uci_only;       // ERR_ARG for an engine that speaks another protocol
    int start_ms;           // for the handshake; 0: the default, which is generous
    int ready_ms;           // for isready or ping, likewise
    int stop_ms;            // to answer after it was told to stop; 0: two seconds
    int feature_ms; // for an XBoard engine to tell of its features; 0: the protocol's 2 seconds
} ClientConfig;

// Who is told of each line of thinking, with the time since "go".
typedef struct ClientListener {
    void *context;
    void (*on_info)(void *context, const UciInfo *info, int64_t elapsed_ns);
} ClientListener;

// One of the lines behind the best, when MultiPV is set.
typedef struct ClientLine {
    UciInfo info;                 // `has` is 0 when the engine told of no such line; no `pv`
    char first[CLIENT_TEXT_SIZE]; // its first move as written, or ""
} ClientLine;

// Scores are those told last, at the end of each line's search; a bound counts only where nothing
// exact was told.
typedef struct EngineAnswer {
    Move move; // MOVE_NONE when `text` is no legal move, or it resigned
    char text[CLIENT_TEXT_SIZE];
    bool has_resigned, offers_draw;
    UciInfo info; // of the best line; `pv` is in `line`
    char line[CLIENT_PV_SIZE];
    ClientLine further[CLIENT_LINES_MAX - 1]; // the second-best line and so on
    int64_t elapsed_ns; // until it came; `latency_ns`: until we saw it then (process_latency_ns)
    int64_t latency_ns;
    bool is_late; // came after the cap, when it had been told to stop
} EngineAnswer;

// Starts the engine, shakes hands and sets its options, each checked against what it declared;
// `memory` (in MB) and `cores` are options of XBoard engines with these features.
MUST_CHECK Status client_open(EngineClient **out, const ClientConfig *config);
// Says quit and makes sure of it; error_message() stays as it is. NULL is fine.
void client_close(EngineClient *client);
CLEANUP_AT(EngineClient *, client_close)

// Gets it ready for a game from `start`. ERR_ARG when it can only start where chess does.
MUST_CHECK Status client_new_game(EngineClient *client, const Position *start);
// A move was played, by whomever. Nothing is sent yet.
void client_push_move(EngineClient *client, Move move);
// Lets it think and waits for its move. At limits->cap_ms it is told to stop: if the move then
// comes, the answer is late, and the client lives on. `listener` may be NULL. ERR_ARG when it does
// not know a limit.
MUST_CHECK Status client_go(EngineClient *client, const Limits *limits,
                            const ClientListener *listener, EngineAnswer *out);
// Tells how the game ended, where the protocol has it.
void client_end_game(EngineClient *client, GameResult result);

// Sets one more option, checked.
MUST_CHECK Status client_set_option(EngineClient *client, const char *name, const char *value);
// Waits until all that was sent is dealt with.
MUST_CHECK Status client_sync(EngineClient *client);

Fault client_fault(const EngineClient *client);
// False when it must be started anew for the next game: it failed, or wants to be.
bool client_is_reusable(const EngineClient *client);
// Its name for itself, or "".
const char *client_id(const EngineClient *client);
// The declared option of that name (case ignored), or NULL.
const UciOption *client_option(const EngineClient *client, const char *name);
size_t client_option_count(const EngineClient *client);
// The first move of a line that it told just now; MOVE_NONE when it is no legal move.
Move client_first_move(const EngineClient *client, StrView pv);
