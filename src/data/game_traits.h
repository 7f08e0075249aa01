// SPDX-License-Identifier: GPL-3.0-or-later
// What identifies games, and what their tags say.
#pragma once

#include "chess/pgn.h"

// A hash of the start and the first `plies_max` moves: copies of a game have the same, whatever
// their tags say.
uint64_t game_hash(const PgnGame *game, size_t plies_max);

// Games that agree in so many plies (shorter games: in all of them) are copies of one game, however
// they go on: by then nobody plays from memory, but ends are often cut or mistyped. A copy that was
// cut before this many plies is a game of its own.
enum { GAME_COPY_PLIES = 50 };

// What the tags say: the year (0 where there is none), a player's name, the result.
int game_year(const PgnGame *game);
StrView game_player(const PgnGame *game, Color side);
GameResult game_tag_result(const PgnGame *game);
// 0 where there is no sensible one.
int game_tag_rating(const PgnGame *game, Color side);
