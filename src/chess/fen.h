// SPDX-License-Identifier: GPL-3.0-or-later
// Positions as text (Forsyth-Edwards notation), those of Chess960 too: X-FEN and Shredder-FEN.
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
// Castling as X-FEN has it: KQkq, and a file's letter only for a rook that is not the outermost.
void fen_write(const Position *pos, char out[FEN_SIZE]);

// How rights to castle are written where one of them is Chess960's; chess always has KQkq.
typedef enum FenCastling {
    FEN_X,
    FEN_SHREDDER, // the files of all rooks
} FenCastling;
void fen_write_in(const Position *pos, FenCastling style, char out[FEN_SIZE]);
// The first four fields only, as EPD has them.
void fen_write_board(const Position *pos, char out[FEN_SIZE]);
