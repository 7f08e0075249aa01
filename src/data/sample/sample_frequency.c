// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/sample/sample_internal.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

enum { SLOTS_FIRST = 1 << 12, BYTES_MAX = 1 << 30 };
static_assert(sizeof(FrequencyEntry) == 48, "as the header says");

void frequency_table_init(FrequencyTable *table) {
    *table = (FrequencyTable){.slot_count = SLOTS_FIRST};
    table->entries = mem_alloc_zero(table->slot_count, sizeof *table->entries);
}

void frequency_table_free(FrequencyTable *table) {
    free(table->entries);
    *table = (FrequencyTable){0};
}

// The entry of that key, or the free one where it belongs.
static FrequencyEntry *find(const FrequencyTable *table, uint64_t key) {
    uint64_t hash = key * 0x9E3779B97F4A7C15ULL >> 32;
    size_t i = (size_t)(hash * table->slot_count >> 32);
    while (table->entries[i].games != 0 && table->entries[i].key != key)
        i = i + 1 == table->slot_count ? 0 : i + 1;
    return &table->entries[i];
}

static Status grow(FrequencyTable *table) {
    FrequencyTable bigger = {.slot_count = table->slot_count + table->slot_count / 2,
                             .used = table->used};
    size_t size = bigger.slot_count * sizeof *bigger.entries;
    bigger.entries = size > BYTES_MAX ? NULL : mem_alloc_pages(size);
    if (bigger.entries == NULL)
        return error_set(ERR_LIMIT,
                         "more than %zu different positions to count: take fewer plies of each "
                         "game",
                         table->used);
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->entries[i].games != 0)
            *find(&bigger, table->entries[i].key) = table->entries[i];
    free(table->entries);
    *table = bigger;
    return OK;
}

Status frequency_table_add(FrequencyTable *table, uint64_t key, const PackedPosition *packed) {
    FrequencyEntry *entry = find(table, key);
    if (entry->games == 0) {
        if ((table->used + 1) * 8 > table->slot_count * 7) {
            TRY(grow(table));
            entry = find(table, key);
        }
        table->used++;
        *entry = (FrequencyEntry){.key = key, .packed = *packed};
    }
    entry->games++;
    return OK;
}

static int compare_entries(const void *left, const void *right) {
    const FrequencyEntry *a = left, *b = right;
    if (a->games != b->games)
        return MEM_ORDER(b->games, a->games);
    return MEM_ORDER(a->key, b->key);
}

void frequency_table_finish(FrequencyTable *table) {
    size_t kept = 0;
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->entries[i].games != 0)
            table->entries[kept++] = table->entries[i];
    MEM_SORT(table->entries, kept, compare_entries);
}
