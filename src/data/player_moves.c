// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/player_moves.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "data/games_pass.h"
#include "data/names.h"
#include "data/sample.h"
#include "data/traits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PLAYER_NONE = UINT32_MAX };

// One way to write a player's name.
typedef struct Alias {
    Name name;
    uint32_t player;
} Alias;

// Who is looked for: some names, or anybody on these sides (bits 1 << Color; 0: by name).
typedef struct Aliases {
    Alias *items;
    size_t count, capacity;
    unsigned sides;
} Aliases;

typedef struct Worker {
    const Aliases *aliases;
    PlayerGame *games;
    size_t count, capacity;
    PlayerGamesTotals totals;
} Worker;

// --- names ---

static Status add_aliases(Aliases *aliases, uint32_t player, const char *text) {
    size_t before = aliases->count;
    for (;;) {
        size_t length = strcspn(text, ";");
        Alias alias = {.player = player};
        name_parse(view_of(text, length), &alias.name);
        if (alias.name.count > 0) {
            aliases->items = vec_grow(aliases->items, &aliases->capacity, aliases->count + 1,
                                      sizeof *aliases->items);
            aliases->items[aliases->count++] = alias;
        }
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return aliases->count > before ? OK : error_set(ERR_ARG, "a player's name is empty");
}

static uint32_t find_player(const Aliases *aliases, const PgnGame *game, Color side) {
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

static void add_game(Worker *worker, const PgnGame *game, Color side, uint32_t player) {
    StrView opponent = game_player(game, color_other(side));
    PlayerGame added = {
        .player = player,
        .side = side,
        .result = pgn_result(game),
        .year = game_year(game),
        .event = event_of(game),
        .identity = game_hash(game, SAMPLE_COPY_PLIES),
        .opponent = mem_alloc_zero(opponent.length + 1, 1),
        .start = game->start,
        .moves = mem_alloc(game->move_count * sizeof(Move)),
        .move_count = game->move_count,
    };
    if (opponent.length > 0)
        memcpy(added.opponent, opponent.text, opponent.length);
    memcpy(added.moves, game->moves, game->move_count * sizeof(Move));
    worker->games =
        vec_grow(worker->games, &worker->capacity, worker->count + 1, sizeof *worker->games);
    worker->games[worker->count++] = added;
}

static void game_free(PlayerGame *game) {
    free(game->opponent);
    free(game->moves);
}

static bool wants(void *context, const PgnGame *game) {
    const Worker *worker = context;
    for (Color side = WHITE; side <= BLACK; side++)
        if (find_player(worker->aliases, game, side) != PLAYER_NONE)
            return true;
    return false;
}

static bool take(void *context, const PgnGame *game) {
    Worker *worker = context;
    worker->totals.games++;
    if (game->is_passed_over)
        return true;
    if (game->problem.kind != PGN_FINE) {
        worker->totals.damaged += wants(worker, game);
        return true;
    }
    for (Color side = WHITE; side <= BLACK && game->move_count > 0; side++) {
        uint32_t player = find_player(worker->aliases, game, side);
        if (player != PLAYER_NONE)
            add_game(worker, game, side, player);
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

static void gather(PlayerGames *out, Worker *workers, int threads) {
    size_t capacity = 0;
    for (int i = 0; i < threads; i++) {
        Worker *worker = &workers[i];
        out->items =
            vec_grow(out->items, &capacity, out->count + worker->count + 1, sizeof *out->items);
        if (worker->count > 0)
            memcpy(out->items + out->count, worker->games, worker->count * sizeof *out->items);
        out->count += worker->count;
        out->totals.games += worker->totals.games;
        out->totals.damaged += worker->totals.damaged;
        free(worker->games);
    }
    qsort(out->items, out->count, sizeof *out->items, compare_copies);
    drop_copies(out);
    qsort(out->items, out->count, sizeof *out->items, compare_players);
    for (size_t i = 0; i < out->count; i++)
        out->begin[out->items[i].player + 1]++;
    for (size_t i = 0; i < out->player_count; i++)
        out->begin[i + 1] += out->begin[i];
}

static Status read_files(PlayerGames *out, const Aliases *aliases, const char *const *paths,
                         size_t path_count, int threads) {
    Worker *workers = mem_alloc_zero((size_t)threads, sizeof *workers);
    void **contexts = mem_alloc_zero((size_t)threads, sizeof(void *));
    for (int i = 0; i < threads; i++) {
        workers[i].aliases = aliases;
        contexts[i] = &workers[i];
    }
    const GamesPass pass = {dist_pool_new(threads), contexts, wants, take, NULL};
    Status status = OK;
    for (size_t i = 0; i < path_count && status == OK; i++) {
        GamesPassTotals totals;
        status = games_pass(&pass, paths[i], &totals);
        out->totals.games += totals.too_long;
    }
    gather(out, workers, threads);
    dist_pool_free(pass.pool);
    free(contexts);
    free(workers);
    return status;
}

static Status read_games(PlayerGames *out, const Aliases *aliases, size_t player_count,
                         const char *const *paths, size_t path_count, int threads) {
    *out = (PlayerGames){.player_count = player_count};
    out->begin = mem_alloc_zero(player_count + 1, sizeof *out->begin);
    const Status status = read_files(out, aliases, paths, path_count, threads);
    if (status != OK)
        player_games_free(out);
    return status;
}

Status player_games_read(PlayerGames *out, const char *const *players, size_t player_count,
                         const char *const *paths, size_t path_count, int threads) {
    Aliases aliases = {0};
    Status status = OK;
    for (size_t i = 0; i < player_count && status == OK; i++)
        status = add_aliases(&aliases, (uint32_t)i, players[i]);
    if (status == OK)
        status = read_games(out, &aliases, player_count, paths, path_count, threads);
    free(aliases.items);
    return status;
}

Status player_games_read_side(PlayerGames *out, Color side, const char *const *paths,
                              size_t path_count, int threads) {
    return read_games(out, &(Aliases){.sides = 1u << side}, 1, paths, path_count, threads);
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
