// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/player_moves/player_moves.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "data/game_traits.h"
#include "data/games_pass.h"
#include "data/names.h"
#include "data/rated_names.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    const OtherGames *others; // NULL: the games of the aliases are collected, not those of others
    RatedNames *rated;        // of these others
    PlayerGame *games;
    size_t count, capacity;
    PlayerGamesTotals totals;
} PlayerCollector;

// --- names ---

static void aliases_free(PlayerAliases *aliases) {
    free(aliases->items);
}

static Status add_aliases(PlayerAliases *aliases, uint32_t player, const char *text) {
    const size_t before = aliases->count;
    for (size_t length; *text != '\0'; text += length + (text[length] == ';')) {
        PlayerAlias alias = {.player = player};
        length = strcspn(text, ";");
        name_parse(view_of(text, length), &alias.name);
        if (alias.name.count > 0)
            MEM_ADD(aliases->items, aliases->count, aliases->capacity) = alias;
    }
    return aliases->count > before ? OK : error_set(ERR_ARG, "a player's name is empty");
}

// The player on that side, PLAYER_NONE for anybody else.
static uint32_t find_player(const PlayerAliases *aliases, const PgnGame *game, Color side) {
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

// Games with neither event nor place are one event for each year: too few events do no
// harm, and too many would let one into both parts of a split.
static uint64_t event_of(const PgnGame *game) {
    uint64_t hash = hash_tag(hash_tag(HASH_START, game, "Event"), game, "Site");
    int32_t year = game_year(game);
    return hash_bytes(hash, &year, sizeof year);
}

static void add_game(PlayerCollector *collector, const PgnGame *game, Color side, uint32_t player) {
    MEM_ADD(collector->games, collector->count, collector->capacity) = (PlayerGame){
        .player = player,
        .side = side,
        .result = pgn_result(game),
        .year = game_year(game),
        .event = event_of(game),
        .identity = game_hash(game, GAME_COPY_PLIES),
        .opponent = view_copy(game_player(game, color_other(side))),
        .start = game->start,
        .moves = memcpy(mem_alloc(game->move_count * sizeof(Move)), game->moves,
                        game->move_count * sizeof(Move)),
        .move_count = game->move_count,
    };
}

static void game_free(PlayerGame *game) {
    free(game->opponent);
    free(game->moves);
}

static bool has_player(const PlayerCollector *collector, const PgnGame *game) {
    return find_player(collector->aliases, game, WHITE) != PLAYER_NONE ||
           find_player(collector->aliases, game, BLACK) != PLAYER_NONE;
}

static bool wants(void *context, const PgnGame *game) {
    return has_player(context, game);
}

static bool take(void *context, const PgnGame *game) {
    PlayerCollector *collector = context;
    collector->totals.games++;
    if (game->is_passed_over)
        return true;
    if (game->problem.kind != PGN_FINE) {
        collector->totals.damaged += has_player(collector, game);
        return true;
    }
    for (Color side = WHITE; side <= BLACK && game->move_count > 0; side++) {
        const uint32_t player = find_player(collector->aliases, game, side);
        if (player != PLAYER_NONE)
            add_game(collector, game, side, player);
    }
    return true;
}

// --- games of others ---

static bool is_rated(const PlayerCollector *collector, const PgnGame *game, Color side) {
    return collector->others->min_elo == 0 ||
           rated_names_rating(collector->rated, game_player(game, side), game_year(game),
                              game_tag_rating(game, side)) >= collector->others->min_elo;
}

static bool wants_other(void *context, const PgnGame *game) {
    const PlayerCollector *collector = context;
    return (is_rated(collector, game, WHITE) || is_rated(collector, game, BLACK)) &&
           !has_player(collector, game);
}

// Random numbers depend on the moves, so that they are the same for all copies of a game.
static bool take_other(void *context, const PgnGame *game) {
    PlayerCollector *collector = context;
    const OtherGames *others = collector->others;
    collector->totals.games++;
    if (game->is_passed_over || game->problem.kind != PGN_FINE || game->move_count == 0 ||
        !wants_other(context, game))
        return true;
    const uint64_t identity = game_hash(game, GAME_COPY_PLIES);
    Rng rng = rng_at(others->seed, (uint32_t)identity, (uint32_t)(identity >> 32), 1);
    const bool is_drawn = rng_real(&rng) < others->share;
    const Color side = rng_below(&rng, 2) == 0 ? WHITE : BLACK;
    if (is_drawn && is_rated(collector, game, side))
        add_game(collector, game, side, 0);
    return true;
}

// --- copies ---

// Copies stand together, the longest first, because ends are often cut; what else they differ in
// makes the order complete.
static int compare_copies(const void *left, const void *right) {
    const PlayerGame *a = left, *b = right;
    int orders[] = {
        MEM_ORDER(a->identity, b->identity),     MEM_ORDER(a->side, b->side),
        MEM_ORDER(b->move_count, a->move_count), MEM_ORDER(a->event, b->event),
        MEM_ORDER(a->result, b->result),         MEM_ORDER(a->player, b->player),
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
    int by_player = MEM_ORDER(a->player, b->player), by_game = MEM_ORDER(a->identity, b->identity);
    if (by_player != 0)
        return by_player;
    return by_game != 0 ? by_game : MEM_ORDER(a->side, b->side);
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
        rated_names_destroy(collector->rated);
    }
    qsort(out->items, out->count, sizeof *out->items, compare_copies);
    drop_copies(out);
    qsort(out->items, out->count, sizeof *out->items, compare_players);
    for (size_t i = 0; i < out->count; i++)
        out->begin[out->items[i].player + 1]++;
    for (size_t i = 0; i < out->player_count; i++)
        out->begin[i + 1] += out->begin[i];
}

// Fills `out`, whose player_count is set, with what all threads take, each game once.
static Status collect(PlayerGames *out, const PlayerAliases *aliases, const OtherGames *others,
                      const char *const *paths, size_t path_count, int threads) {
    CLEANUP(mem_free_at)
    PlayerCollector *collectors = mem_alloc_zero((size_t)threads, sizeof *collectors);
    CLEANUP(dist_pool_free_at) DistPool *pool = dist_pool_new(threads);
    const GamesPass pass = {
        .pool = pool,
        .workers = collectors,
        .worker_size = sizeof *collectors,
        .wants = others == NULL ? wants : wants_other,
        .take = others == NULL ? take : take_other,
    };
    Status status = OK;
    out->begin = mem_alloc_zero(out->player_count + 1, sizeof *out->begin);
    for (int i = 0; i < threads; i++)
        collectors[i] = (PlayerCollector){
            .aliases = aliases,
            .others = others,
            .rated = others == NULL ? NULL : rated_names_create(others->ratings),
        };
    for (size_t i = 0; i < path_count && status == OK; i++) {
        GamesPassTotals totals;
        status = games_pass(&pass, paths[i], &totals);
        out->totals.games += totals.too_long;
    }
    gather(out, collectors, threads);
    assert(player_games_are_valid(out));
    if (status != OK)
        player_games_free(out);
    return status;
}

Status player_games_read(PlayerGames *out, const char *const *players, size_t player_count,
                         const char *const *paths, size_t path_count, int threads) {
    CLEANUP(aliases_free) PlayerAliases aliases = {0};
    *out = (PlayerGames){.player_count = player_count};
    for (size_t i = 0; i < player_count; i++)
        TRY(add_aliases(&aliases, (uint32_t)i, players[i]));
    return collect(out, &aliases, NULL, paths, path_count, threads);
}

Status player_games_read_side(PlayerGames *out, Color side, const char *const *paths,
                              size_t path_count, int threads) {
    *out = (PlayerGames){.player_count = 1};
    return collect(out, &(PlayerAliases){.sides = 1u << side}, NULL, paths, path_count, threads);
}

Status player_games_from_text(PlayerGames *out, const char *player, Color side, StrView pgn) {
    CLEANUP(aliases_free) PlayerAliases aliases = {.sides = player == NULL ? 1u << side : 0};
    CLEANUP(pgn_game_free) PgnGame game = {0};
    PlayerCollector collector = {.aliases = &aliases};
    size_t consumed;
    *out = (PlayerGames){.player_count = 1};
    if (player != NULL)
        TRY(add_aliases(&aliases, 0, player));
    while (pgn_parse_wanted(&game, pgn, true, &consumed, wants, &collector) == PGN_STEP_GAME) {
        take(&collector, &game);
        pgn = view_of(pgn.text + consumed, pgn.length - consumed);
    }
    out->begin = mem_alloc_zero(out->player_count + 1, sizeof *out->begin);
    gather(out, &collector, 1);
    return OK;
}

Status player_games_read_others(PlayerGames *out, const OtherGames *others,
                                const char *const *paths, size_t path_count, int threads) {
    CLEANUP(aliases_free) PlayerAliases aliases = {0};
    *out = (PlayerGames){.player_count = 1};
    TRY(add_aliases(&aliases, 0, others->player));
    return collect(out, &aliases, others, paths, path_count, threads);
}

bool player_games_are_valid(const PlayerGames *games) {
    bool is_valid = games->begin[0] == 0 && games->begin[games->player_count] == games->count;
    for (size_t player = 0; player < games->player_count && is_valid; player++)
        for (size_t i = games->begin[player]; i < games->begin[player + 1] && is_valid; i++)
            is_valid = games->items[i].player == player && games->items[i].move_count > 0;
    return is_valid;
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
    assert(player_games_are_valid(games));
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
