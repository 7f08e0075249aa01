// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/rating_games.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

// From keys to numbers: open addressing, at most half full.
typedef struct Index {
    uint64_t *keys;
    uint32_t *numbers; // RATING_NOBODY: empty
    size_t capacity, count;
} Index;

struct RatingGames {
    char **names;
    size_t name_count, name_capacity;
    RatingResult *results;
    size_t result_count, result_capacity;
    Index by_name, by_pair;
};

static size_t index_slot(const Index *index, uint64_t key) {
    size_t mask = index->capacity - 1;
    size_t slot = (size_t)((key ^ key >> 32) * 0x9E3779B97F4A7C15ULL >> 20) & mask;
    while (index->numbers[slot] != RATING_NOBODY && index->keys[slot] != key)
        slot = (slot + 1) & mask;
    return slot;
}

static void index_set(Index *index, uint64_t key, uint32_t number);

static void index_grow(Index *index) {
    Index old = *index;
    index->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
    index->count = 0;
    index->keys = mem_alloc(index->capacity * sizeof *index->keys);
    index->numbers = mem_alloc(index->capacity * sizeof *index->numbers);
    for (size_t i = 0; i < index->capacity; i++)
        index->numbers[i] = RATING_NOBODY;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.numbers[i] != RATING_NOBODY)
            index_set(index, old.keys[i], old.numbers[i]);
    free(old.keys);
    free(old.numbers);
}

static uint32_t index_get(const Index *index, uint64_t key) {
    return index->capacity == 0 ? RATING_NOBODY : index->numbers[index_slot(index, key)];
}

static void index_set(Index *index, uint64_t key, uint32_t number) {
    if (2 * index->count >= index->capacity)
        index_grow(index);
    size_t slot = index_slot(index, key);
    index->keys[slot] = key;
    index->numbers[slot] = number;
    index->count++;
}

RatingGames *rating_games_create(void) {
    return mem_alloc_zero(1, sizeof(RatingGames));
}

void rating_games_free(RatingGames *games) {
    if (games == NULL)
        return;
    for (size_t i = 0; i < games->name_count; i++)
        free(games->names[i]);
    free(games->names);
    free(games->results);
    free(games->by_name.keys);
    free(games->by_name.numbers);
    free(games->by_pair.keys);
    free(games->by_pair.numbers);
    free(games);
}

// The player's number, or RATING_NOBODY and the key that is free for the name. Names of one hash
// take keys that follow each other.
static uint32_t find(const RatingGames *games, StrView name, uint64_t *key) {
    *key = hash_bytes(HASH_START, name.text, name.length);
    for (;; ++*key) {
        uint32_t number = index_get(&games->by_name, *key);
        if (number == RATING_NOBODY || view_equals(name, games->names[number]))
            return number;
    }
}

static uint32_t find_or_add(RatingGames *games, StrView name) {
    uint64_t key;
    uint32_t number = find(games, name, &key);
    if (number != RATING_NOBODY)
        return number;
    number = (uint32_t)games->name_count;
    games->names =
        mem_grow(games->names, &games->name_capacity, games->name_count + 1, sizeof *games->names);
    char *copy = mem_alloc(name.length + 1);
    memcpy(copy, name.text, name.length);
    copy[name.length] = '\0';
    games->names[games->name_count++] = copy;
    index_set(&games->by_name, key, number);
    return number;
}

static RatingResult *result_of(RatingGames *games, uint32_t white, uint32_t black) {
    uint64_t key = (uint64_t)white << 32 | black;
    uint32_t number = index_get(&games->by_pair, key);
    if (number == RATING_NOBODY) {
        number = (uint32_t)games->result_count;
        MEM_ADD(games->results, games->result_count, games->result_capacity) =
            (RatingResult){.white = white, .black = black};
        index_set(&games->by_pair, key, number);
    }
    return &games->results[number];
}

void rating_games_add(RatingGames *games, StrView white, StrView black, GameResult result) {
    uint32_t white_number = find_or_add(games, white);
    RatingResult *line = result_of(games, white_number, find_or_add(games, black));
    line->wins += result == RESULT_WHITE_WINS;
    line->draws += result == RESULT_DRAW;
    line->losses += result == RESULT_BLACK_WINS;
}

size_t rating_games_players(const RatingGames *games) {
    return games->name_count;
}

const char *rating_games_name(const RatingGames *games, uint32_t player) {
    return games->names[player];
}

const char *const *rating_games_names(const RatingGames *games) {
    return (const char *const *)games->names;
}

uint32_t rating_games_find(const RatingGames *games, StrView name) {
    uint64_t key;
    return find(games, name, &key);
}

const RatingResult *rating_games_results(const RatingGames *games, size_t *count) {
    *count = games->result_count;
    return games->results;
}
