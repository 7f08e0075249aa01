// SPDX-License-Identifier: GPL-3.0-or-later
// How games of people are collected, for those who choose them in other ways.
#pragma once

#include "data/games_pass.h"
#include "data/names.h"
#include "data/player_moves/player_moves.h"

enum { PLAYER_NONE = UINT32_MAX };

// One way to write a player's name.
typedef struct PlayerAlias {
    Name name;
    uint32_t player;
} PlayerAlias;

// Who is looked for: some names, or anybody on these sides (bits 1 << Color; 0: by name).
typedef struct PlayerAliases {
    PlayerAlias *items;
    size_t count, capacity;
    unsigned sides;
} PlayerAliases;

// What one thread collects.
typedef struct PlayerCollector {
    const PlayerAliases *aliases;
    void *own; // what the thread chooses by, beside the names
    PlayerGame *games;
    size_t count, capacity;
    PlayerGamesTotals totals;
} PlayerCollector;

// How to choose: as in GamesPass, whose workers are collectors.
typedef struct PlayerChoice {
    PlayerAliases aliases;
    void *const *owns; // one for each thread; NULL: none
    PgnWants *wants;
    bool (*take)(void *collector, const PgnGame *game);
} PlayerChoice;

// Adds the spellings of one player; ERR_ARG where there is none.
MUST_CHECK Status player_aliases_add(PlayerAliases *aliases, uint32_t player, const char *text);
// Who of them plays a side, PLAYER_NONE for anybody else.
uint32_t player_aliases_find(const PlayerAliases *aliases, const PgnGame *game, Color side);
void player_collector_add(PlayerCollector *collector, const PgnGame *game, Color side,
                          uint32_t player);
// Fills `out`, whose player_count is set, with what was taken, each game once. Frees nothing of the
// choice.
MUST_CHECK Status player_games_collect(PlayerGames *out, const PlayerChoice *choice,
                                       const char *const *paths, size_t path_count, int threads);
