// SPDX-License-Identifier: GPL-3.0-or-later
// What an XBoard client is made of. Private to src/engines.
#pragma once

#include "engines/xboard_client.h"

enum { XBOARD_ID_SIZE = 128, XBOARD_MESSAGE_SIZE = 160 };

struct XboardClient {
    EngineLink link;
    char id[XBOARD_ID_SIZE];
    char message[XBOARD_MESSAGE_SIZE]; // the last that it wanted a user to see
    bool has_ping, has_setboard, has_usermove, has_san, has_time, has_reuse, has_memory, has_cores;
    UciOption *options;
    size_t option_count, option_capacity;
    unsigned pings;
    Position pos;
    bool is_forced;      // it only takes moves, until it is told to go
    bool knows_limits;   // it was told the limits of this game
    bool made_last_move; // the next move that is pushed is its own
    char last_move[XBOARD_TEXT_SIZE];
    int64_t go_ns; // when it was told to go
    Str pending;   // lines of moves not yet sent
    Str out;
};

// Learns the features and sets the options of a client whose process runs.
MUST_CHECK Status xboard_set_up(XboardClient *client, const XboardConfig *config);
// Sends what is in client->out.
MUST_CHECK Status xboard_send_out(XboardClient *client, const char *when);
// Keeps what the engine wanted a user to see.
void xboard_keep_message(XboardClient *client, StrView text);
// Waits until all that was sent is dealt with, where the engine has ping.
MUST_CHECK Status xboard_sync(XboardClient *client, const char *when);
// Adds the last message to this thread's error message, and remembers the failure.
Status xboard_fail_read(XboardClient *client, ProcessRead kind, const char *when);
