// SPDX-License-Identifier: GPL-3.0-or-later
// Games gathered for rating: names become numbers, and games of the same two players with the same
// colours become one line.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "chess/types.h"
#include "match/rating/rating.h"

typedef struct RatingGames RatingGames;

RatingGames *rating_games_create(void);
void rating_games_free(RatingGames *games);
CLEANUP_AT(RatingGames *, rating_games_free)

// Counts a finished game (not RESULT_UNKNOWN) of two different names.
void rating_games_add(RatingGames *games, StrView white, StrView black, GameResult result);

size_t rating_games_players(const RatingGames *games);
// Borrowed.
const char *rating_games_name(const RatingGames *games, uint32_t player);
// All of them, for who looks for one that is near.
const char *const *rating_games_names(const RatingGames *games);
// RATING_NOBODY when nobody is called so.
uint32_t rating_games_find(const RatingGames *games, StrView name);
// Borrowed until the next game.
const RatingResult *rating_games_results(const RatingGames *games, size_t *count);
