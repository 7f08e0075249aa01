// SPDX-License-Identifier: GPL-3.0-or-later
// How many games pass through each position: a table of 48 bytes for each, in at most 1 GiB.
#pragma once

#include "base/error.h"
#include "chess/position_pack.h"

typedef struct FrequencyEntry {
    uint64_t key;
    uint32_t games, padding; // games 0: a free slot
    PackedPosition packed;
} FrequencyEntry;

typedef struct FrequencyTable {
    FrequencyEntry *entries;
    size_t slot_count, used;
} FrequencyTable;

void frequency_table_init(FrequencyTable *table);
void frequency_table_free(FrequencyTable *table);
// Counts a game; ERR_LIMIT when there are too many positions.
MUST_CHECK Status frequency_table_add(FrequencyTable *table, uint64_t key,
                                      const PackedPosition *packed);
// Leaves the entries at the front: the most frequent first, then by key.
void frequency_table_finish(FrequencyTable *table);
