// SPDX-License-Identifier: GPL-3.0-or-later
// What a client is made of, and what a protocol adds to it. Private to src/engines.
#pragma once

#include "engines/client.h"
#include "engines/process.h"

enum { CLIENT_ID_SIZE = 128, CLIENT_MESSAGE_SIZE = 160 };

// What the two protocols do differently. Lines to be sent are appended to client->out.
typedef struct ClientProtocol {
    Status (*shake_hands)(EngineClient *client, const ClientConfig *config);
    void (*write_option)(EngineClient *client, const UciOption *option, const char *value);
    // Asks whether it is ready and waits for that.
    Status (*sync)(EngineClient *client);
    // Of a game from client->pos.
    Status (*new_game)(EngineClient *client, const char *fen, bool is_start);
    // A move that is about to be made in client->pos.
    void (*push_move)(EngineClient *client, Move move);
    void (*write_go)(EngineClient *client, const Limits *limits);
    const char *stop;
    // A line while it thinks; `is_done` when it was the answer.
    Status (*take_line)(EngineClient *client, StrView line, EngineAnswer *out, bool *is_done);
    Move (*read_first)(const Position *pos, StrView pv);
} ClientProtocol;

extern const ClientProtocol client_uci, client_xboard;

struct EngineClient {
    const EngineSpec *spec; // borrowed
    const ClientProtocol *protocol;
    Process *process;
    Fault fault;
    char *why; // the message of the failure
    char id[CLIENT_ID_SIZE];
    UciOption *options;
    size_t option_count, option_capacity;
    int ready_ms, stop_ms;
    Position pos;
    Str out;
    // While it thinks.
    const Limits *limits;
    const ClientListener *listener;
    int64_t go_ns;
    // UCI.
    Str position; // the line, without its end
    bool has_moves;
    bool plays_960; // it was told that castling is king takes rook
    // XBoard.
    char message[CLIENT_MESSAGE_SIZE]; // the last that it wanted a user to see
    bool has_ping, has_setboard, has_usermove, has_san, has_time, has_no_reuse, has_memory,
        has_cores, has_960;
    unsigned pings;
    bool is_forced;      // it only takes moves, until it is told to go
    bool knows_limits;   // it was told the limits of this game
    bool made_last_move; // the next move that is pushed is its own
    char last_move[CLIENT_TEXT_SIZE];
    Str pending; // lines of moves not yet sent
};

// Remembers a failure whose message is set already, without the engine's name. Returns ERR_ENGINE.
Status client_fail(EngineClient *client, Fault fault);
// The failure that a read which brought no line stands for; `when` ends "no answer ...".
Status client_fail_read(EngineClient *client, ProcessRead kind, const char *when);
// Writes all of the text, or fails; `when` tells what we were at.
MUST_CHECK Status client_send(EngineClient *client, const char *text, const char *when);
// The same of client->out, where there is any.
MUST_CHECK Status client_send_out(EngineClient *client, const char *when);
// The next line that is not too long.
MUST_CHECK Status client_read(EngineClient *client, Deadline *deadline, const char *when,
                              StrView *line);
// Makes room for one more option, which the caller fills and counts.
UciOption *client_next_option(EngineClient *client);
// Tells the listener, if there is one.
void client_tell_info(const EngineClient *client, const UciInfo *info);
// Copies what fits, ends it with NUL, and gives back the copy.
StrView client_copy_text(char *out, size_t size, StrView text);
