// SPDX-License-Identifier: GPL-3.0-or-later
// The start positions of Chess960, by Scharnagl's numbers: 518 is that of chess.
#pragma once

#include "chess/position.h"

enum { CHESS960_ARRAYS = 960 };

// The pieces of the back rank from the file a on; `number` is below CHESS960_ARRAYS.
void chess960_array(unsigned number, PieceType out[8]);
// Each side with its own array, as in double Fischer random chess; in Chess960 both are the same.
void chess960_set_start(Position *pos, unsigned white, unsigned black);
