// SPDX-License-Identifier: GPL-3.0-or-later
// Of each position the record that comes first is kept, and of these the `keep` that come first.
// Dropping others early is exact: a position that was dropped can only be wanted again through a
// record that comes earlier than all that were kept, and such a record is still taken.
#include "data/sample/sample_internal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { COMPACT_MIN = 1 << 12 };

static int compare_order(const void *left, const void *right) {
    const SampleRecord *a = left, *b = right;
    if (a->key != b->key)
        return MEM_ORDER(a->key, b->key);
    if (a->variant != b->variant)
        return MEM_ORDER(a->variant, b->variant);
    if (a->pick != b->pick)
        return MEM_ORDER(a->pick, b->pick);
    return strcmp(a->label, b->label);
}

static int compare_positions(const void *left, const void *right) {
    const SampleRecord *a = left, *b = right;
    return a->position != b->position ? MEM_ORDER(a->position, b->position)
                                      : compare_order(left, right);
}

static void compact(SampleChoice *choice) {
    size_t kept = 0;
    MEM_SORT(choice->items, choice->count, compare_positions);
    for (size_t i = 0; i < choice->count; i++) {
        if (kept > 0 && choice->items[kept - 1].position == choice->items[i].position)
            free(choice->items[i].label);
        else
            choice->items[kept++] = choice->items[i];
    }
    choice->count = kept;
    if (kept > choice->keep) {
        MEM_SORT(choice->items, choice->count, compare_order);
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
    MEM_ADD(choice->items, choice->count, choice->capacity) = *record;
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

bool sample_choice_is_valid(const SampleChoice *choice) {
    for (size_t i = 1; i < choice->count; i++)
        if (compare_order(&choice->items[i - 1], &choice->items[i]) > 0)
            return false;
    return choice->count <= choice->keep && choice->count <= choice->capacity;
}

void sample_choice_finish(SampleChoice *choice) {
    compact(choice);
    MEM_SORT(choice->items, choice->count, compare_order);
}
