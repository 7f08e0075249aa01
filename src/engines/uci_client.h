// SPDX-License-Identifier: GPL-3.0-or-later
// A UCI engine in another process. Knows no tournaments. Every wait has a deadline of its own; a
// client that failed once answers only with failure and is there to be closed.
#pragma once

#include "chess/position.h"
#include "engines/engine_link.h"
#include "engines/uci_text.h"

typedef struct UciClient UciClient;

enum { UCI_TEXT_SIZE = 8, UCI_PV_SIZE = 512, UCI_LINES_MAX = 8 };

typedef struct UciConfig {
    const EngineSpec *spec; // borrowed while the client lives
    int cancel_fd;          // waiting ends when this becomes readable; -1: none
    int start_ms;           // for the handshake; 0: the default, which is generous
    int ready_ms;           // for isready, likewise
} UciConfig;

// Who is told of each info line while the engine thinks, with the time since "go".
typedef struct UciListener {
    void *context;
    void (*on_info)(void *context, const UciInfo *info, int64_t elapsed_ns);
} UciListener;

// One of the lines behind the best, when MultiPV is set.
typedef struct UciLine {
    UciInfo info;              // `has` is 0 when the engine told of no such line; no `pv`
    char first[UCI_TEXT_SIZE]; // its first move as written, or ""
} UciLine;

// Scores are those told last, at the end of each line's search; a bound counts only where nothing
// exact was told.
typedef struct UciAnswer {
    char best[UCI_TEXT_SIZE]; // as the engine wrote it; nobody has checked that it is legal
    UciInfo info;             // of the best line; `pv` is in `line`
    char line[UCI_PV_SIZE];
    UciLine further[UCI_LINES_MAX - 1]; // the second-best line and so on
    int64_t elapsed_ns,
        latency_ns; // until it came, and until we saw it then: see process_latency_ns
    bool is_late;   // came after the cap, when we had said stop
} UciAnswer;

// Starts the engine, shakes hands and sets its options, each checked against what it declared.
MUST_CHECK Status uci_client_open(UciClient **out, const UciConfig *config);
// Says quit and makes sure of it. NULL is fine.
void uci_client_close(UciClient *client);

// Tells of a new game and waits until the engine is ready.
MUST_CHECK Status uci_client_new_game(UciClient *client);
// The position the next search starts from, and moves made after it. Nothing is sent yet.
void uci_client_set_position(UciClient *client, const Position *start);
void uci_client_push_move(UciClient *client, Move move);
// Lets it think and waits for its move. At limits->cap_ms it is told to stop: if the move then
// comes, the answer is late, and the client lives on. `listener` may be NULL.
MUST_CHECK Status uci_client_go(UciClient *client, const Limits *limits,
                                const UciListener *listener, UciAnswer *out);
// Sets one more option, checked.
MUST_CHECK Status uci_client_set_option(UciClient *client, const char *name, const char *value);
MUST_CHECK Status uci_client_sync(UciClient *client);

Fault uci_client_fault(const UciClient *client);
// "id name" as the engine gave it, or "".
const char *uci_client_id(const UciClient *client);
// The declared option of that name (case ignored), or NULL.
const UciOption *uci_client_option(const UciClient *client, const char *name);
size_t uci_client_option_count(const UciClient *client);
const UciOption *uci_client_option_at(const UciClient *client, size_t index);
// Bytes the engine has written so far.
uint64_t uci_client_bytes(const UciClient *client);
