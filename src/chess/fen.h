// SPDX-License-Identifier: GPL-3.0-or-later
// Positions as text (Forsyth-Edwards notation).
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "chess/position.h"

enum { FEN_SIZE = 96 }; // the longest FEN and its NUL
extern const char fen_start[];

// Reads the position at the front of `text` and cuts it off: what follows (EPD operations) remains.
// Counters may be missing. Impossible positions are refused with the reason in error_message().
MUST_CHECK Status fen_read(StrView *text, Position *out);
// Reads a whole line that holds a FEN and nothing else.
MUST_CHECK Status fen_parse(const char *text, Position *out);
void fen_write(const Position *pos, char out[FEN_SIZE]);
// The first four fields only, as EPD has them.
void fen_write_board(const Position *pos, char out[FEN_SIZE]);
