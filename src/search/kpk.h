// SPDX-License-Identifier: GPL-3.0-or-later
// King and pawn against king, solved.
#pragma once

#include "chess/position.h"

// Solves the ending; cheap to call again, from any thread.
void kpk_init(void);
// True when the position is king and one pawn against king.
bool kpk_applies(const Position *pos);
// True when the side with the pawn wins such a position.
bool kpk_is_win(const Position *pos);
