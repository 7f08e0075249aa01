// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/player_moves/player_moves_internal.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "data/game_traits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// --- names ---

Status player_aliases_add(PlayerAliases *aliases, uint32_t player, const char *text) {
    size_t before = aliases->count;
    for (;;) {
        size_t length = strcspn(text, ";");
        PlayerAlias alias = {.player = player};
        name_parse(view_of(text, length), &alias.name);
        if (alias.name.count > 0) {
            aliases->items = mem_grow(aliases->items, &aliases->capacity, aliases->count + 1,
                                      sizeof *aliases->items);
            aliases->items[aliases->count++] = alias;
        }
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return aliases->count > before ? OK : error_set(ERR_ARG, "a player's name is empty");
}

uint32_t player_aliases_find(const PlayerAliases *aliases, const PgnGame *game, Color side) {
    if (aliases->sides != 0)
        return aliases->sides >> side & 1 ? 0 : PLAYER_NONE;
    Name found;
    name_parse(game_player(game, side), &found);
    for (size_t i = 0; i < aliases->count; i++)
        if (name_fits(&found, &aliases->items[i].name))
            return aliases->items[i].player;
    return PLAYER_NONE;
}

// --- games ---

// Adds letters and digits alone, so that "URS-ch (24)" and "URS ch 24" are one.
static uint64_t hash_tag(uint64_t hash, const PgnGame *game, const char *tag) {
    StrView text = pgn_tag(game, tag);
    for (size_t i = 0; i < text.length; i++)
        if (isalnum((unsigned char)text.text[i])) {
            char c = (char)tolower((unsigned char)text.text[i]);
            hash = hash_bytes(hash, &c, 1);
        }
    return hash_bytes(hash, "\n", 1);
}

// Games of which neither event nor place is told are one event for each year: too few events do no
// harm, and too many would let one into both parts of a split.
static uint64_t event_of(const PgnGame *game) {
    uint64_t hash = hash_tag(hash_tag(HASH_START, game, "Event"), game, "Site");
    int32_t year = game_year(game);
    return hash_bytes(hash, &year, sizeof year);
}

void player_collector_add(PlayerCollector *collector, const PgnGame *game, Color side,
                          uint32_t player) {
    StrView opponent = game_player(game, color_other(side));
    PlayerGame added = {
        .player = player,
        .side = side,
        .result = pgn_result(game),
        .year = game_year(game),
        .event = event_of(game),
        .identity = game_hash(game, GAME_COPY_PLIES),
        .opponent = mem_alloc_zero(opponent.length + 1, 1),
        .start = game->start,
        .moves = mem_alloc(game->move_count * sizeof(Move)),
        .move_count = game->move_count,
    };
    if (opponent.length > 0)
        memcpy(added.opponent, opponent.text, opponent.length);
    memcpy(added.moves, game->moves, game->move_count * sizeof(Move));
    collector->games = mem_grow(collector->games, &collector->capacity, collector->count + 1,
                                sizeof *collector->games);
    collector->games[collector->count++] = added;
}

static void game_free(PlayerGame *game) {
    free(game->opponent);
    free(game->moves);
}

static bool wants(void *context, const PgnGame *game) {
    const PlayerCollector *collector = context;
    for (Color side = WHITE; side <= BLACK; side++)
        if (player_aliases_find(collector->aliases, game, side) != PLAYER_NONE)
            return true;
    return false;
}

static bool take(void *context, const PgnGame *game) {
    PlayerCollector *collector = context;
    collector->totals.games++;
    if (game->is_passed_over)
        return true;
    if (game->problem.kind != PGN_FINE) {
        collector->totals.damaged += wants(collector, game);
        return true;
    }
    for (Color side = WHITE; side <= BLACK && game->move_count > 0; side++) {
        uint32_t player = player_aliases_find(collector->aliases, game, side);
        if (player != PLAYER_NONE)
            player_collector_add(collector, game, side, player);
    }
    return true;
}

// --- copies ---

#define COMPARE(a, b) ((a) > (b)) - ((a) < (b))

// Copies stand together, the longest first, because ends are often cut; what else they differ in
// makes the order complete.
static int compare_copies(const void *left, const void *right) {
    const PlayerGame *a = left, *b = right;
    int orders[] = {
        COMPARE(a->identity, b->identity),     COMPARE(a->side, b->side),
        COMPARE(b->move_count, a->move_count), COMPARE(a->event, b->event),
        COMPARE(a->result, b->result),         COMPARE(a->player, b->player),
        strcmp(a->opponent, b->opponent),
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i] != 0)
            return orders[i];
    size_t size = a->move_count * sizeof(Move);
    return size == 0 ? 0 : memcmp(a->moves, b->moves, size);
}

static int compare_players(const void *left, const void *right) {
    const PlayerGame *a = left, *b = right;
    int by_player = COMPARE(a->player, b->player), by_game = COMPARE(a->identity, b->identity);
    if (by_player != 0)
        return by_player;
    return by_game != 0 ? by_game : COMPARE(a->side, b->side);
}

// Keeps one game of each group of copies, none where they name different players.
static void drop_copies(PlayerGames *games) {
    size_t kept = 0;
    for (size_t i = 0, end; i < games->count; i = end) {
        const PlayerGame first = games->items[i];
        bool is_contested = false;
        for (end = i + 1; end < games->count && games->items[end].identity == first.identity &&
                          games->items[end].side == first.side;
             end++) {
            is_contested |= games->items[end].player != first.player;
            game_free(&games->items[end]);
        }
        games->totals.copies += end - i - 1;
        games->totals.contested += is_contested;
        if (is_contested)
            game_free(&games->items[i]);
        else
            games->items[kept++] = first;
    }
    games->count = kept;
}

// --- all of them ---

static void gather(PlayerGames *out, PlayerCollector *collectors, int threads) {
    size_t capacity = 0;
    for (int i = 0; i < threads; i++) {
        PlayerCollector *collector = &collectors[i];
        out->items =
            mem_grow(out->items, &capacity, out->count + collector->count + 1, sizeof *out->items);
        if (collector->count > 0)
            memcpy(out->items + out->count, collector->games,
                   collector->count * sizeof *out->items);
        out->count += collector->count;
        out->totals.games += collector->totals.games;
        out->totals.damaged += collector->totals.damaged;
        free(collector->games);
    }
    qsort(out->items, out->count, sizeof *out->items, compare_copies);
    drop_copies(out);
    qsort(out->items, out->count, sizeof *out->items, compare_players);
    for (size_t i = 0; i < out->count; i++)
        out->begin[out->items[i].player + 1]++;
    for (size_t i = 0; i < out->player_count; i++)
        out->begin[i + 1] += out->begin[i];
}

Status player_games_collect(PlayerGames *out, const PlayerChoice *choice, const char *const *paths,
                            size_t path_count, int threads) {
    PlayerCollector *collectors = mem_alloc_zero((size_t)threads, sizeof *collectors);
    void **contexts = mem_alloc_zero((size_t)threads, sizeof(void *));
    out->begin = mem_alloc_zero(out->player_count + 1, sizeof *out->begin);
    for (int i = 0; i < threads; i++) {
        collectors[i].aliases = &choice->aliases;
        collectors[i].own = choice->owns == NULL ? NULL : choice->owns[i];
        contexts[i] = &collectors[i];
    }
    const GamesPass pass = {dist_pool_new(threads), contexts, choice->wants, choice->take, NULL};
    Status status = OK;
    for (size_t i = 0; i < path_count && status == OK; i++) {
        GamesPassTotals totals;
        status = games_pass(&pass, paths[i], &totals);
        out->totals.games += totals.too_long;
    }
    gather(out, collectors, threads);
    dist_pool_free(pass.pool);
    free(contexts);
    free(collectors);
    if (status != OK)
        player_games_free(out);
    return status;
}

Status player_games_read(PlayerGames *out, const char *const *players, size_t player_count,
                         const char *const *paths, size_t path_count, int threads) {
    PlayerChoice choice = {.wants = wants, .take = take};
    Status status = OK;
    *out = (PlayerGames){.player_count = player_count};
    for (size_t i = 0; i < player_count && status == OK; i++)
        status = player_aliases_add(&choice.aliases, (uint32_t)i, players[i]);
    if (status == OK)
        status = player_games_collect(out, &choice, paths, path_count, threads);
    free(choice.aliases.items);
    return status;
}

Status player_games_read_side(PlayerGames *out, Color side, const char *const *paths,
                              size_t path_count, int threads) {
    const PlayerChoice choice = {.aliases = {.sides = 1u << side}, .wants = wants, .take = take};
    *out = (PlayerGames){.player_count = 1};
    return player_games_collect(out, &choice, paths, path_count, threads);
}

void player_games_free(PlayerGames *games) {
    for (size_t i = 0; i < games->count; i++)
        game_free(&games->items[i]);
    free(games->items);
    free(games->begin);
    *games = (PlayerGames){0};
}

static bool is_drawn(uint64_t unit, uint64_t seed, double share) {
    Rng rng = rng_at(seed, (uint32_t)unit, (uint32_t)(unit >> 32), 0);
    return rng_real(&rng) < share;
}

bool player_year_is_held_out(int year, uint64_t seed, double share) {
    return year != 0 && is_drawn((uint64_t)year, seed, share);
}

void player_games_split(const PlayerGames *games, PlayerSplit by, uint64_t seed, double share,
                        bool *is_held_out) {
    for (size_t i = 0; i < games->count; i++)
        is_held_out[i] = by == SPLIT_BY_EVENT
                             ? is_drawn(games->items[i].event, seed, share)
                             : player_year_is_held_out(games->items[i].year, seed, share);
}

size_t player_game_moves(const PlayerGame *game, unsigned skip_plies, PlayerMove *out) {
    Position pos = game->start;
    size_t count = 0;
    for (size_t ply = 0; ply < game->move_count; ply++) {
        Undo undo;
        if (ply >= skip_plies && position_turn(&pos) == game->side && movegen_count(&pos) > 1)
            out[count++] = (PlayerMove){pos, game->moves[ply], (uint16_t)ply};
        position_make(&pos, game->moves[ply], &undo);
    }
    return count;
}
