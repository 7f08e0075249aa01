// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/player_moves/other_games.h"

#include "base/mem.h"
#include "base/rng.h"
#include "data/game_traits.h"
#include "data/player_moves/player_moves_internal.h"
#include "data/rated_names.h"

#include <stdlib.h>

// What a thread chooses by.
typedef struct Lot {
    const OtherGames *others;
    RatedNames *rated; // own
} Lot;

static bool has_person(const PlayerCollector *collector, const PgnGame *game) {
    for (Color side = WHITE; side <= BLACK; side++)
        if (player_aliases_find(collector->aliases, game, side) != PLAYER_NONE)
            return true;
    return false;
}

static bool is_rated(const Lot *lot, const PgnGame *game, Color side) {
    return lot->others->min_elo == 0 ||
           rated_names_rating(lot->rated, game_player(game, side), game_year(game),
                              game_told_rating(game, side)) >= lot->others->min_elo;
}

static bool wants(void *context, const PgnGame *game) {
    const PlayerCollector *collector = context;
    return (is_rated(collector->own, game, WHITE) || is_rated(collector->own, game, BLACK)) &&
           !has_person(collector, game);
}

// The lot falls by the moves, so that it is the same for all copies of a game.
static bool take(void *context, const PgnGame *game) {
    PlayerCollector *collector = context;
    const Lot *lot = collector->own;
    collector->totals.games++;
    if (game->is_passed_over || game->problem.kind != PGN_FINE || game->move_count == 0 ||
        !wants(context, game))
        return true;
    const uint64_t identity = game_hash(game, GAME_COPY_PLIES);
    Rng rng = rng_at(lot->others->seed, (uint32_t)identity, (uint32_t)(identity >> 32), 1);
    const bool is_drawn = rng_real(&rng) < lot->others->share;
    const Color side = rng_below(&rng, 2) == 0 ? WHITE : BLACK;
    if (is_drawn && is_rated(lot, game, side))
        player_collector_add(collector, game, side, 0);
    return true;
}

Status other_games_read(PlayerGames *out, const OtherGames *others, const char *const *paths,
                        size_t path_count, int threads) {
    Lot *lots = mem_alloc((size_t)threads * sizeof *lots);
    void **owns = mem_alloc((size_t)threads * sizeof *owns);
    for (int i = 0; i < threads; i++) {
        lots[i] = (Lot){others, rated_names_create(others->ratings)};
        owns[i] = &lots[i];
    }
    PlayerChoice choice = {.owns = owns, .wants = wants, .take = take};
    *out = (PlayerGames){.player_count = 1};
    Status status = player_aliases_add(&choice.aliases, 0, others->player);
    if (status == OK)
        status = player_games_collect(out, &choice, paths, path_count, threads);
    for (int i = 0; i < threads; i++)
        rated_names_destroy(lots[i].rated);
    free(choice.aliases.items);
    free(owns);
    free(lots);
    return status;
}
