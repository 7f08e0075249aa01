// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/memo.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    NOBODY = UINT32_MAX,
    HALF_BYTES = 16 << 20, // of the organisms of a half
    SLOTS_FEWEST = 64,
};

// Organisms, their scores, and a table of them by hash.
typedef struct Half {
    double *organisms;
    int64_t *scores;
    uint32_t *slots;
    size_t count, organism_capacity, score_capacity, slot_count;
} Half;

// What comes again stays in the newer half; the older one is forgotten when the newer is full.
struct Memo {
    size_t width, most; // most: of a half, unless one batch is more
    Half older, newer;
    uint32_t *fresh;        // rows that must be judged
    uint32_t *fresh_places; // where their scores go
    uint32_t *places;       // in the newer half, of each row
    size_t count, fresh_count, fresh_capacity, fresh_place_capacity, place_capacity;
};

Memo *memo_create(size_t width) {
    Memo *memo = mem_alloc_zero(1, sizeof *memo);
    memo->width = width;
    memo->most = HALF_BYTES / ((width + 1) * sizeof(double)) + 1;
    return memo;
}

static void free_half(Half *half) {
    free(half->organisms);
    free(half->scores);
    free(half->slots);
    *half = (Half){0};
}

void memo_forget(Memo *memo) {
    free_half(&memo->older);
    free_half(&memo->newer);
}

void memo_destroy(Memo *memo) {
    if (memo == NULL)
        return;
    memo_forget(memo);
    free(memo->fresh);
    free(memo->fresh_places);
    free(memo->places);
    free(memo);
}

// The slot of an organism, or the empty one where it would be; the half has slots.
static size_t slot_of(const Memo *memo, const Half *half, const double *organism) {
    const size_t size = memo->width * sizeof *organism;
    size_t slot = hash_words(HASH_START, organism, size) & (half->slot_count - 1);
    while (half->slots[slot] != NOBODY &&
           memcmp(half->organisms + half->slots[slot] * memo->width, organism, size) != 0)
        slot = (slot + 1) & (half->slot_count - 1);
    return slot;
}

// At most half of the slots are taken, with so many organisms more.
static void make_room(const Memo *memo, Half *half, size_t more) {
    const size_t all = half->count + more;
    size_t slots = half->slot_count == 0 ? SLOTS_FEWEST : half->slot_count;
    half->organisms = mem_grow(half->organisms, &half->organism_capacity, all * memo->width + 1,
                               sizeof *half->organisms);
    half->scores = mem_grow(half->scores, &half->score_capacity, all + 1, sizeof *half->scores);
    while (slots < 2 * all)
        slots *= 2;
    if (slots == half->slot_count)
        return;
    half->slots = mem_resize(half->slots, slots * sizeof *half->slots);
    memset(half->slots, 0xFF, slots * sizeof *half->slots);
    half->slot_count = slots;
    for (size_t i = 0; i < half->count; i++)
        half->slots[slot_of(memo, half, half->organisms + i * memo->width)] = (uint32_t)i;
}

// Adds an organism that is not there, at its slot, and returns its place.
static uint32_t add(const Memo *memo, Half *half, const double *organism, size_t slot) {
    const uint32_t place = (uint32_t)half->count++;
    memcpy(half->organisms + place * memo->width, organism, memo->width * sizeof *organism);
    half->slots[slot] = place;
    return place;
}

static uint32_t find_older(const Memo *memo, const double *organism) {
    const Half *older = &memo->older;
    return older->count == 0 ? NOBODY : older->slots[slot_of(memo, older, organism)];
}

static uint32_t place_of(Memo *memo, const double *organism, uint32_t row) {
    Half *newer = &memo->newer;
    const size_t slot = slot_of(memo, newer, organism);
    if (newer->slots[slot] != NOBODY)
        return newer->slots[slot];
    const uint32_t place = add(memo, newer, organism, slot), before = find_older(memo, organism);
    if (before != NOBODY) {
        newer->scores[place] = memo->older.scores[before];
    } else {
        memo->fresh_places[memo->fresh_count] = place;
        memo->fresh[memo->fresh_count++] = row;
    }
    return place;
}

size_t memo_sift(Memo *memo, const double *organisms, size_t count, const uint32_t **fresh) {
    if (memo->newer.count > 0 && memo->newer.count + count > memo->most) {
        free_half(&memo->older);
        memo->older = memo->newer;
        memo->newer = (Half){0};
    }
    make_room(memo, &memo->newer, count);
    memo->fresh = mem_grow(memo->fresh, &memo->fresh_capacity, count + 1, sizeof *memo->fresh);
    memo->fresh_places = mem_grow(memo->fresh_places, &memo->fresh_place_capacity, count + 1,
                                  sizeof *memo->fresh_places);
    memo->places = mem_grow(memo->places, &memo->place_capacity, count + 1, sizeof *memo->places);
    memo->count = count;
    memo->fresh_count = 0;
    for (uint32_t row = 0; row < count; row++)
        memo->places[row] = place_of(memo, organisms + row * memo->width, row);
    *fresh = memo->fresh;
    return memo->fresh_count;
}

void memo_fill(Memo *memo, const int64_t *fresh_scores, int64_t *scores) {
    for (size_t i = 0; i < memo->fresh_count; i++)
        memo->newer.scores[memo->fresh_places[i]] = fresh_scores[i];
    for (size_t row = 0; row < memo->count; row++)
        scores[row] = memo->newer.scores[memo->places[row]];
}
