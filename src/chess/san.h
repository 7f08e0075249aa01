// SPDX-License-Identifier: GPL-3.0-or-later
// Moves as people write them (standard algebraic notation).
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "chess/position.h"

enum { SAN_SIZE = 12 }; // "Qa1xb2=Q+#" never gets this long

// Why a text is no move here.
typedef enum SanError {
    SAN_OK,
    SAN_MALFORMED, // not a move in any notation
    SAN_ILLEGAL,   // no piece can do that
    SAN_AMBIGUOUS, // several can
    SAN_NULL_MOVE, // "--", "Z0"
} SanError;

// Reads SAN, long algebraic or UCI notation, tolerant of marks ("Nge2+!?", "0-0", "e8Q",
// "exd6e.p."). The move is legal when SAN_OK is returned.
SanError san_parse(const Position *pos, StrView text, Move *out);
const char *san_error_name(SanError error);
// Writes a legal move exactly as PGN's export format wants it.
void san_write(const Position *pos, Move move, char out[SAN_SIZE]);
// The same with the whole square it comes from: "Ng1f3", "e4xd5".
void san_write_long(const Position *pos, Move move, char out[SAN_SIZE]);
