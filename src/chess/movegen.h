// SPDX-License-Identifier: GPL-3.0-or-later
// Legal moves.
#pragma once

#include "chess/position.h"

typedef enum MoveSet {
    MOVES_ALL,
    MOVES_NOISY, // captures and promotions
    MOVES_QUIET, // the rest
} MoveSet;

// Writes the legal moves of the set (in check: the evasions among them) and returns how many.
size_t movegen(const Position *pos, MoveSet set, Move out[MOVES_MAX]);
// The quiet moves, and the squares the enemy attacks, seen through our king; all squares where they
// were not needed.
size_t movegen_quiet(const Position *pos, Move out[MOVES_MAX], Bitboard *attacked);
// All evasions of a side in check.
size_t movegen_evasions(const Position *pos, Move out[MOVES_MAX]);
// Quiet moves that give check, but for castling; not when in check.
size_t movegen_quiet_checks(const Position *pos, const CheckInfo *info, Move out[MOVES_MAX]);
// How many legal moves there are, without listing them.
size_t movegen_count(const Position *pos);
// How many `side` would have if it were to move. En passant belongs to the side to move alone; a
// king in check may be taken by the other side.
size_t movegen_count_side(const Position *pos, Color side);
bool movegen_has_any(const Position *pos);

// True when `move`, any 16 bits at all, is a legal move here.
bool move_is_legal(const Position *pos, Move move);
// Whether a list is one of legal moves of the position.
bool move_list_is_valid(const MoveList *list, const Position *pos);
// The legal move that `text` spells in UCI's way ("e2e4", "e7e8q"), or MOVE_NONE. Castling may be
// written as king takes rook.
Move move_from_uci(const Position *pos, const char *text, size_t length);
