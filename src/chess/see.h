// SPDX-License-Identifier: GPL-3.0-or-later
// Static exchange evaluation with fixed values: what a series of captures on one square is worth.
#pragma once

#include "chess/position.h"

// Pawn, knight, bishop, rook, queen, king (never counted): they belong to no family and never
// change.
extern const int see_values[PIECE_TYPE_NB + 1];

// True when the exchange that starts with `move` gains at least `threshold`. Pinned pieces join in,
// kings only where nothing guards.
bool see_at_least(const Position *pos, Move move, int threshold);
// The exact value of the same exchange.
int see_value(const Position *pos, Move move);
