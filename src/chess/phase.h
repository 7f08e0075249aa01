// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of position one is: its phase, and whether it is quiet.
#pragma once

#include "chess/position.h"

// Phases by the pieces left on the board, counting 1 for a knight or bishop, 2 for a rook and 4 for
// a queen, of both sides: 24 at the start.
enum { PHASE_OPENING_MIN = 22, PHASE_MIDDLEGAME_MIN = 10 };
typedef enum Phase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, PHASE_NB } Phase;

extern const char *const phase_names[PHASE_NB];

// By PieceType; pawns and kings do not count.
extern const uint8_t phase_values[PIECE_TYPE_NB + 1];

unsigned phase_material(const Position *pos);
Phase phase_of_material(unsigned material);
// Not in check, and no capture or promotion gains material.
bool position_is_quiet(const Position *pos);
bool position_has_mate_in_one(const Position *pos);
// Quiet, and so it is with the other side to move.
bool position_is_quiet_for_both(const Position *pos);
