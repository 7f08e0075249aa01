// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of position one is: its phase, and whether it is quiet; and what tells games apart.
#pragma once

#include "chess/pgn.h"

// Phases by the pieces left on the board, counting 1 for a knight or bishop, 2 for a rook and 4 for
// a queen, of both sides: 24 at the start.
enum { PHASE_OPENING_MIN = 22, PHASE_MIDDLEGAME_MIN = 10 };
typedef enum Phase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, PHASE_NB } Phase;

extern const char *const phase_names[PHASE_NB];

// By PieceType; pawns and kings do not count.
extern const uint8_t phase_values[PIECE_TYPE_NB + 1];

unsigned material_of(const Position *pos);
Phase phase_of_material(unsigned material);
// Not in check, and no capture or promotion gains material.
bool position_is_quiet(const Position *pos);

// A hash of the start and the first `plies_max` moves: copies of a game have the same, whatever
// their tags say.
uint64_t game_hash(const PgnGame *game, size_t plies_max);

// What the tags say: the year (0 where there is none), a player's name, the result.
int game_year(const PgnGame *game);
StrView game_player(const PgnGame *game, Color side);
GameResult game_told_result(const PgnGame *game);
// 0 where there is no sensible one.
int game_told_rating(const PgnGame *game, Color side);
