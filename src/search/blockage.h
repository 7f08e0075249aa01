// SPDX-License-Identifier: GPL-3.0-or-later
// Pawn endings in which nothing can ever happen again.
#pragma once

#include "chess/position.h"

// True when only kings and pawns are left, every pawn stands still for good, and neither king can
// reach a pawn that its own pawns do not guard: a draw whatever the material. Never true of a
// position that can be won.
bool blockage_is_draw(const Position *pos);
