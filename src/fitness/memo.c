// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/memo.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = UINT32_MAX };

// One batch: its organisms, its scores, and a table of them by hash.
typedef struct Batch {
    double *organisms;
    int64_t *scores;
    uint32_t *slots;
    size_t count, organism_capacity, score_capacity, slot_capacity, slot_count;
} Batch;

struct Memo {
    size_t width;
    Batch last, now;
    uint32_t *fresh;   // rows that must be judged
    uint32_t *same_as; // for each row: one of `fresh`, or beyond them a row of the last batch
    size_t fresh_count, fresh_capacity, same_capacity;
};

Memo *memo_create(size_t width) {
    Memo *memo = mem_alloc_zero(1, sizeof *memo);
    memo->width = width;
    return memo;
}

static void free_batch(Batch *batch) {
    free(batch->organisms);
    free(batch->scores);
    free(batch->slots);
}

void memo_destroy(Memo *memo) {
    if (memo == NULL)
        return;
    free_batch(&memo->last);
    free_batch(&memo->now);
    free(memo->fresh);
    free(memo->same_as);
    free(memo);
}

static void start_batch(const Memo *memo, Batch *batch, const double *organisms, size_t count) {
    batch->count = count;
    batch->slot_count = 4;
    while (batch->slot_count < 2 * count)
        batch->slot_count *= 2;
    batch->organisms = mem_grow(batch->organisms, &batch->organism_capacity,
                                count * memo->width + 1, sizeof *batch->organisms);
    batch->scores =
        mem_grow(batch->scores, &batch->score_capacity, count + 1, sizeof *batch->scores);
    batch->slots =
        mem_grow(batch->slots, &batch->slot_capacity, batch->slot_count, sizeof *batch->slots);
    memcpy(batch->organisms, organisms, count * memo->width * sizeof *organisms);
    memset(batch->slots, 0xFF, batch->slot_count * sizeof *batch->slots);
}

// The slot of an organism, or the empty one where it would be; the batch has slots.
static size_t slot_of(const Memo *memo, const Batch *batch, const double *organism) {
    const size_t size = memo->width * sizeof *organism;
    size_t slot = hash_bytes(HASH_START, organism, size) & (batch->slot_count - 1);
    while (batch->slots[slot] != NOBODY &&
           memcmp(batch->organisms + batch->slots[slot] * memo->width, organism, size) != 0)
        slot = (slot + 1) & (batch->slot_count - 1);
    return slot;
}

size_t memo_sift(Memo *memo, const double *organisms, size_t count, const uint32_t **fresh) {
    const Batch free_one = memo->last;
    memo->last = memo->now;
    memo->now = free_one;
    start_batch(memo, &memo->now, organisms, count);
    memo->fresh = mem_grow(memo->fresh, &memo->fresh_capacity, count + 1, sizeof *memo->fresh);
    memo->same_as = mem_grow(memo->same_as, &memo->same_capacity, count + 1, sizeof *memo->same_as);
    memo->fresh_count = 0;
    for (uint32_t row = 0; row < count; row++) {
        const double *organism = organisms + row * memo->width;
        const size_t slot = slot_of(memo, &memo->now, organism);
        if (memo->now.slots[slot] != NOBODY) {
            memo->same_as[row] = memo->same_as[memo->now.slots[slot]];
            continue;
        }
        memo->now.slots[slot] = row;
        const uint32_t before =
            memo->last.count == 0 ? NOBODY : memo->last.slots[slot_of(memo, &memo->last, organism)];
        if (before != NOBODY) {
            memo->same_as[row] = (uint32_t)count + before;
        } else {
            memo->same_as[row] = (uint32_t)memo->fresh_count;
            memo->fresh[memo->fresh_count++] = row;
        }
    }
    *fresh = memo->fresh;
    return memo->fresh_count;
}

void memo_fill(Memo *memo, const int64_t *fresh_scores, int64_t *scores) {
    const size_t count = memo->now.count;
    for (size_t row = 0; row < count; row++) {
        const size_t same = memo->same_as[row];
        scores[row] = same < count ? fresh_scores[same] : memo->last.scores[same - count];
        memo->now.scores[row] = scores[row];
    }
}
