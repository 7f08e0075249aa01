// SPDX-License-Identifier: GPL-3.0-or-later
// Counting the tree of legal moves: the test of a move generator.
#pragma once

#include "chess/position.h"

// Leaves of the tree of that depth; 1 at depth 0.
uint64_t perft(Position *pos, unsigned depth);
