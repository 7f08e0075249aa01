// SPDX-License-Identifier: GPL-3.0-or-later
// Of each position the record that comes first is kept, and of these the `keep` that come first.
// Letting others go early is exact: a position that was let go can only be wanted again through a
// record that comes earlier than all that were kept, and such a record is still taken.
#include "data/sample/sample_choice.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { COMPACT_MIN = 1 << 12 };

static int compare_u64(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_order(const void *left, const void *right) {
    const SampleRecord *a = left, *b = right;
    if (a->key != b->key)
        return compare_u64(a->key, b->key);
    if (a->variant != b->variant)
        return compare_u64(a->variant, b->variant);
    if (a->pick != b->pick)
        return a->pick < b->pick ? -1 : 1;
    return strcmp(a->label, b->label);
}

static int compare_positions(const void *left, const void *right) {
    const SampleRecord *a = left, *b = right;
    return a->position != b->position ? compare_u64(a->position, b->position)
                                      : compare_order(left, right);
}

static void sort(SampleChoice *choice, int compare(const void *, const void *)) {
    if (choice->count > 0)
        qsort(choice->items, choice->count, sizeof *choice->items, compare);
}

static void compact(SampleChoice *choice) {
    size_t kept = 0;
    sort(choice, compare_positions);
    for (size_t i = 0; i < choice->count; i++) {
        if (kept > 0 && choice->items[kept - 1].position == choice->items[i].position)
            free(choice->items[i].label);
        else
            choice->items[kept++] = choice->items[i];
    }
    choice->count = kept;
    if (kept > choice->keep) {
        sort(choice, compare_order);
        while (choice->count > choice->keep)
            free(choice->items[--choice->count].label);
        choice->is_cut = true;
        choice->last_key = choice->items[choice->count - 1].key;
    }
    choice->compact_at = 2 * choice->count > COMPACT_MIN ? 2 * choice->count : COMPACT_MIN;
}

void sample_choice_init(SampleChoice *choice, uint64_t keep) {
    *choice = (SampleChoice){.keep = keep, .compact_at = COMPACT_MIN, .last_key = UINT64_MAX};
}

void sample_choice_free(SampleChoice *choice) {
    for (size_t i = 0; i < choice->count; i++)
        free(choice->items[i].label);
    free(choice->items);
    *choice = (SampleChoice){0};
}

bool sample_choice_wants(const SampleChoice *choice, uint64_t key) {
    return key <= choice->last_key;
}

void sample_choice_add(SampleChoice *choice, const SampleRecord *record) {
    choice->items =
        mem_grow(choice->items, &choice->capacity, choice->count + 1, sizeof *choice->items);
    choice->items[choice->count++] = *record;
    if (choice->count >= choice->compact_at)
        compact(choice);
}

void sample_choice_merge(SampleChoice *into, SampleChoice *from) {
    into->is_cut |= from->is_cut;
    for (size_t i = 0; i < from->count; i++)
        sample_choice_add(into, &from->items[i]);
    from->count = 0;
    sample_choice_free(from);
}

void sample_choice_finish(SampleChoice *choice) {
    compact(choice);
    sort(choice, compare_order);
}
