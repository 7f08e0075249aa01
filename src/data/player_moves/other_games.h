// SPDX-License-Identifier: GPL-3.0-or-later
// Games of everybody but one person, to compare that person with: drawn by lot, each as one of its
// sides played it.
#pragma once

#include "data/player_moves/player_moves.h"
#include "data/rating_list.h"

typedef struct OtherGames {
    const char *player; // who does not play in them: spellings as for player_games_read
    double share;       // of games that are taken, by lot
    uint64_t seed;
    const RatingList *ratings; // NULL: ratings of the tags alone
    int min_elo;               // of the side that is taken; 0: any
} OtherGames;

// Reads files of games; all of them are those of player 0. The same for any number of threads and
// any order of files and games.
MUST_CHECK Status other_games_read(PlayerGames *out, const OtherGames *others,
                                   const char *const *paths, size_t path_count, int threads);
