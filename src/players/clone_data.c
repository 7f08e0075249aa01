// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/clone.h"

#include "base/mem.h"
#include "base/rng.h"
#include "chess/book_builder.h"
#include "chess/epd.h"
#include "data/names.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 5, USE_GAME = 2, USE_POSITION = 3, BOOK_PLIES = 20, BOOK_GAMES = 2 };
// More games of others than of the person are read, because theirs may be shorter.
static const double spare_games = 1.5;

// --- random numbers: they depend on the game itself, not on its place ---

static double draw_of(const PlayerGame *game, uint64_t seed, uint32_t use) {
    Rng rng = rng_at(seed, (uint32_t)game->identity, (uint32_t)(game->identity >> 32),
                     use + 16 * (uint32_t)game->side);
    return rng_real(&rng);
}

typedef struct Drawn {
    double draw;
    const PlayerGame *game;
} Drawn;

static int compare_drawn(const void *left, const void *right) {
    const Drawn *a = left, *b = right;
    return MEM_ORDER(a->draw, b->draw);
}

static int compare_draws(const void *left, const void *right) {
    const double *a = left, *b = right;
    return MEM_ORDER(*a, *b);
}

// --- positions of some games ---

typedef struct Builder {
    CloneSet *set;
    const CloneSource *source;
    double *draws; // of each position
    size_t capacity;
    uint64_t *groups; // that were met, sorted
} Builder;

static uint64_t group_of(const PlayerGame *game, PlayerSplit split) {
    return split == SPLIT_BY_EVENT ? game->event : (uint64_t)game->year;
}

static void grow(Builder *builder, size_t need) {
    CloneSet *set = builder->set;
    if (need <= builder->capacity)
        return;
    builder->capacity = 2 * need;
    set->played.items = mem_resize(set->played.items, builder->capacity * sizeof(PlayedItem));
    set->games = mem_resize(set->games, builder->capacity * sizeof *set->games);
    set->groups = mem_resize(set->groups, builder->capacity * sizeof *set->groups);
    set->plies = mem_resize(set->plies, builder->capacity * sizeof *set->plies);
    builder->draws = mem_resize(builder->draws, builder->capacity * sizeof *builder->draws);
}

static void add_game(Builder *builder, const PlayerGame *game, uint32_t group) {
    CloneSet *set = builder->set;
    CLEANUP(mem_free_at)
    PlayerMove *moves = mem_alloc((game->move_count + 1) * sizeof *moves);
    const size_t count = player_game_moves(game, builder->source->skip_plies, moves);
    grow(builder, set->played.count + count);
    Rng rng = rng_at(builder->source->seed, (uint32_t)game->identity,
                     (uint32_t)(game->identity >> 32), USE_POSITION);
    for (size_t i = 0; i < count; i++) {
        const size_t at = set->played.count++;
        set->played.items[at] = (PlayedItem){moves[i].pos, moves[i].played, MOVE_NONE, false};
        set->games[at] = (uint32_t)set->game_count;
        set->groups[at] = group;
        set->plies[at] = moves[i].ply;
        builder->draws[at] = rng_real(&rng);
    }
    if (count == 0)
        return;
    set->from = mem_resize(set->from, (set->game_count + 1) * sizeof *set->from);
    set->from[set->game_count++] =
        (CloneGame){mem_copy_string(game->opponent), game->side, game->year};
}

static int compare_numbers(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return MEM_ORDER(*a, *b);
}

static void number_groups(Builder *builder, const PlayerGame *const *games, size_t count) {
    CloneSet *set = builder->set;
    builder->groups = mem_alloc((count + 1) * sizeof *builder->groups);
    for (size_t i = 0; i < count; i++)
        builder->groups[i] = group_of(games[i], builder->source->split);
    qsort(builder->groups, count, sizeof *builder->groups, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || builder->groups[i] != builder->groups[i - 1])
            builder->groups[set->group_count++] = builder->groups[i];
}

static void build_set(CloneSet *set, const CloneSource *source, const PlayerGame *const *games,
                      size_t count, double **draws) {
    Builder builder = {.set = set, .source = source};
    number_groups(&builder, games, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t group = group_of(games[i], source->split);
        const uint64_t *found = bsearch(&group, builder.groups, set->group_count,
                                        sizeof *builder.groups, compare_numbers);
        add_game(&builder, games[i], (uint32_t)(found - builder.groups));
    }
    set->all_positions = set->played.count;
    free(builder.groups);
    *draws = builder.draws;
}

// Keeps `most` positions, those with the lowest random numbers.
static void cut_set(CloneSet *set, const double *draws, size_t most) {
    size_t kept = 0;
    if (set->played.count <= most)
        return;
    CLEANUP(mem_free_at) double *sorted = mem_alloc((set->played.count + 1) * sizeof *sorted);
    memcpy(sorted, draws, set->played.count * sizeof *sorted);
    qsort(sorted, set->played.count, sizeof *sorted, compare_draws);
    const double bar = sorted[most];
    for (size_t i = 0; i < set->played.count; i++) {
        if (draws[i] >= bar)
            continue;
        set->played.items[kept] = set->played.items[i];
        set->games[kept] = set->games[i];
        set->groups[kept] = set->groups[i];
        set->plies[kept++] = set->plies[i];
    }
    set->played.count = kept;
}

// --- which games ---

// The games of one part, in random order; others' only until they have `need` positions. The caller
// frees.
static const PlayerGame **choose_games(const PlayerGames *games, const bool *is_held_out,
                                       ClonePart part, const CloneSource *source, size_t need,
                                       size_t *count) {
    CLEANUP(mem_free_at) Drawn *drawn = mem_alloc((games->count + 1) * sizeof *drawn);
    const PlayerGame **chosen = mem_alloc((games->count + 1) * sizeof *chosen);
    size_t all = 0, positions = 0;
    for (size_t i = 0; i < games->count; i++)
        if (is_held_out[i] == (part == PART_HELD_OUT))
            drawn[all++] =
                (Drawn){draw_of(&games->items[i], source->seed, USE_GAME), &games->items[i]};
    qsort(drawn, all, sizeof *drawn, compare_drawn);
    *count = 0;
    for (size_t i = 0; i < all && positions < need; i++) {
        const PlayerGame *game = drawn[i].game;
        CLEANUP(mem_free_at)
        PlayerMove *moves = mem_alloc((game->move_count + 1) * sizeof *moves);
        const size_t found = player_game_moves(game, source->skip_plies, moves);
        positions += found;
        if (found > 0)
            chosen[(*count)++] = game;
    }
    return chosen;
}

typedef struct Reading {
    PlayerGames games[WHO_NB];
    bool *is_held_out[WHO_NB];
} Reading;

static void reading_free(Reading *reading) {
    for (int who = 0; who < WHO_NB; who++) {
        player_games_free(&reading->games[who]);
        free(reading->is_held_out[who]);
    }
}

static void split(Reading *reading, CloneWho who, const CloneSource *source) {
    const PlayerGames *games = &reading->games[who];
    reading->is_held_out[who] = mem_alloc(games->count + 1);
    player_games_split(games, source->split, source->seed, source->hold_out,
                       reading->is_held_out[who]);
}

static Status refuse_few(const CloneSource *source, size_t found) {
    CLEANUP(str_free) Str names = {0};
    TRY(names_find_near(source->player, source->paths, source->path_count, NAMES_SHOWN, &names));
    return error_set(
        ERR_ARG, "%zu game%s of '%s' to learn from, and a clone takes %zu (--min-games)%s%s", found,
        str_plural(found), source->player, source->min_games,
        names.length > 0 ? ". Names in these files that are like it: " : "", str_text(&names));
}

// Moves that were played once are chance, or a game's notes.
static Status build_book(const PlayerGames *games, CloneData *out) {
    CLEANUP(book_builder_destroy_at)
    BookBuilder *builder = book_builder_create((BookOptions){BOOK_PLIES, BOOK_GAMES, 0});
    for (size_t i = 0; i < games->count; i++) {
        const PlayerGame *game = &games->items[i];
        TRY(book_builder_add_side(builder, &game->start, game->moves, game->move_count,
                                  game->result, game->side));
    }
    out->book = book_builder_finish(builder, &out->book_count);
    return OK;
}

static Status read_person(Reading *reading, const CloneSource *source, CloneData *out) {
    size_t training = 0;
    PlayerGames *games = &reading->games[WHO_PERSON];
    TRY(player_games_read(games, &source->player, 1, source->paths, source->path_count,
                          source->threads));
    split(reading, WHO_PERSON, source);
    out->totals = games->totals;
    for (size_t i = 0; i < games->count; i++) {
        const int year = games->items[i].year;
        training += !reading->is_held_out[WHO_PERSON][i];
        out->last_year = year > out->last_year ? year : out->last_year;
        if (year > 0 && (out->first_year == 0 || year < out->first_year))
            out->first_year = year;
    }
    return training < source->min_games ? refuse_few(source, training) : build_book(games, out);
}

static Status read_others(Reading *reading, const CloneSource *source) {
    const PlayerGames *person = &reading->games[WHO_PERSON];
    const double games = (double)(person->totals.games - person->count);
    const double share = spare_games * (double)person->count / games;
    // With ratings it is not known beforehand how many pass.
    const OtherGames others = {source->player, source->min_elo > 0 || share > 1 ? 1 : share,
                               source->seed, source->ratings, source->min_elo};
    TRY(player_games_read_others(&reading->games[WHO_OTHERS], &others, source->paths,
                                 source->path_count, source->threads));
    split(reading, WHO_OTHERS, source);
    return OK;
}

// As many of both, in each part.
static Status fill_part(CloneData *out, const Reading *reading, const CloneSource *source,
                        ClonePart part) {
    double *draws[WHO_NB];
    size_t most = SIZE_MAX;
    const size_t wanted = part == PART_TRAINING ? source->positions : source->judged;
    if (wanted > 0)
        most = wanted;
    for (int who = 0; who < WHO_NB; who++) {
        CloneSet *set = &out->sets[who][part];
        size_t count;
        const size_t need =
            who == WHO_PERSON ? SIZE_MAX : out->sets[WHO_PERSON][part].all_positions;
        const PlayerGame **games = choose_games(&reading->games[who], reading->is_held_out[who],
                                                part, source, need, &count);
        build_set(set, source, games, count, &draws[who]);
        free(games);
        most = set->played.count < most ? set->played.count : most;
    }
    for (int who = 0; who < WHO_NB; who++) {
        cut_set(&out->sets[who][part], draws[who], most);
        free(draws[who]);
    }
    if (most > 0)
        return OK;
    return out->sets[WHO_PERSON][part].all_positions > 0
               ? error_set(ERR_ARG, "these files have no games of others to compare with")
               : error_set(ERR_ARG, part == PART_TRAINING
                                        ? "no position is left to learn from"
                                        : "nothing is held out to judge by: take another --seed, "
                                          "more --hold-out, or another --split");
}

Status clone_data_load(CloneData *out, const CloneSource *source) {
    CLEANUP(reading_free) Reading reading = {0};
    CLEANUP(clone_data_free) CloneData data = {0};
    *out = data;
    TRY(read_person(&reading, source, &data));
    TRY(read_others(&reading, source));
    for (ClonePart part = 0; part < PART_NB; part++)
        TRY(fill_part(&data, &reading, source, part));
    *out = TAKE(data);
    return OK;
}

void clone_data_free(CloneData *data) {
    for (int who = 0; who < WHO_NB; who++)
        for (int part = 0; part < PART_NB; part++) {
            CloneSet *set = &data->sets[who][part];
            played_set_free(&set->played);
            for (size_t i = 0; i < set->game_count; i++)
                free(set->from[i].opponent);
            free(set->from);
            free(set->games);
            free(set->groups);
            free(set->plies);
        }
    free(data->book);
    *data = (CloneData){0};
}

void clone_set_write(const CloneSet *set, Str *out) {
    CLEANUP(epd_free) Epd epd = {0};
    CLEANUP(str_free) Str id = {0};
    for (size_t i = 0; i < set->played.count; i++) {
        epd_clear(&epd);
        epd.pos = set->played.items[i].pos;
        str_setf(&id, "game %u, ply %u", (unsigned)set->games[i] + 1, (unsigned)set->plies[i]);
        // Neither can fail: a legal move, and a text without quotes.
        if (epd_set_moves(&epd, "sm", &set->played.items[i].played, 1) == OK &&
            epd_set_string(&epd, "id", view_of(id.text, id.length)) == OK) {
            epd_write(&epd, out);
            str_add(out, "\n");
        }
    }
}
