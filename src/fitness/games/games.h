// SPDX-License-Identifier: GPL-3.0-or-later
// Games between organisms, inside the process and on all threads, and on the other ranks where the
// pool has any. What a game is like depends on the two organisms, its opening and the colours
// alone: fixed nodes or depth, nothing shared.
#pragma once

#include "dist/pool.h"
#include "dist/service.h"
#include "eval/weights.h"
#include "match/play/game.h"
#include "search/features.h"

typedef struct Games Games;

typedef struct GamesConfig {
    const Weights *evaluation; // of organisms that are searches (family_search); NULL: none are
    Profile profile;
    bool checks;         // at the first ply of quiescence, whatever the profile
    size_t hash_mb;      // of each player; 0: as small as is good for short games
    uint64_t nodes;      // of a move; 0: no limit
    int depth;           // likewise; one of both must limit
    int max_moves;       // a longer game is a draw
    bool is_adjudicated; // ended when both players agree on the result
} GamesConfig;

// One game to be played.
typedef struct GameTask {
    size_t white, black; // which of the organisms
    Position start;
} GameTask;

// What came of it.
typedef struct GameScore {
    unsigned half_points; // White's: 2 for a win, 1 for a draw, 0 for a loss
    unsigned plies;
} GameScore;

// The moves of a game.
typedef struct GameMoves {
    Move *moves; // owned
    size_t count;
} GameMoves;

void game_moves_free(GameMoves *games, size_t count);

// `pool` must outlive it.
Games *games_create(const GamesConfig *config, DistPool *pool);
void games_destroy(Games *games);
// Plays them all; one score for each, and its moves where `moves`, which is all 0, is not NULL.
MUST_CHECK Status games_play(Games *games, const Weights *organisms, const GameTask *tasks,
                             size_t count, GameScore *scores, GameMoves *moves);

// The same games asked for by another rank.
extern const DistService games_service;
