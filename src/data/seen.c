// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/seen.h"

#include "base/mem.h"

#include <stddef.h>
#include <stdlib.h>

enum { SLOTS_FIRST = 1 << 12 };

// A free slot has place 0.
typedef struct Slot {
    uint64_t key;
    uint32_t details, place;
} Slot;

struct SeenTable {
    Slot *slots;
    size_t slot_count, used;
};

// Where the search for a key starts: any number of slots will do.
static size_t home(uint64_t key, size_t slot_count) {
    uint64_t hash = key * 0x9E3779B97F4A7C15ULL >> 32;
    return (size_t)(hash * slot_count >> 32);
}

static size_t next(size_t slot, size_t slot_count) {
    return slot + 1 == slot_count ? 0 : slot + 1;
}

static void insert(Slot *slots, size_t slot_count, Slot added) {
    size_t i = home(added.key, slot_count);
    while (slots[i].place != 0)
        i = next(i, slot_count);
    slots[i] = added;
}

static Status grow(SeenTable *table) {
    size_t bigger = table->slot_count + table->slot_count / 2;
    Slot *slots = bigger > UINT32_MAX ? NULL : mem_alloc_pages(bigger * sizeof *slots);
    if (slots == NULL)
        return error_set(ERR_LIMIT, "no memory for the table of %zu keys", bigger);
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->slots[i].place != 0)
            insert(slots, bigger, table->slots[i]);
    free(table->slots);
    table->slots = slots;
    table->slot_count = bigger;
    return OK;
}

SeenTable *seen_create(void) {
    SeenTable *table = mem_alloc_zero(1, sizeof *table);
    table->slots = mem_alloc_zero(SLOTS_FIRST, sizeof *table->slots);
    table->slot_count = SLOTS_FIRST;
    return table;
}

void seen_destroy(SeenTable *table) {
    if (table == NULL)
        return;
    free(table->slots);
    free(table);
}

Status seen_add(SeenTable *table, uint64_t key, uint32_t details, uint32_t place,
                SeenAnswer *answer, uint32_t *first) {
    *answer = SEEN_NEVER;
    size_t i = home(key, table->slot_count);
    for (; table->slots[i].place != 0; i = next(i, table->slot_count)) {
        const Slot *slot = &table->slots[i];
        if (slot->key != key || (*answer == SEEN_KEY && slot->details != details))
            continue;
        *answer = slot->details == details ? SEEN_SAME : SEEN_KEY;
        *first = slot->place;
        if (*answer == SEEN_SAME)
            return OK;
    }
    if ((table->used + 1) * 8 > table->slot_count * 7)
        TRY(grow(table));
    insert(table->slots, table->slot_count, (Slot){key, details, place});
    table->used++;
    return OK;
}
