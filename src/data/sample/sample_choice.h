// SPDX-License-Identifier: GPL-3.0-or-later
// Records of positions, of which those with the smallest keys are kept, each position once. What is
// kept does not depend on the order in which records come, nor on how they were spread over several
// choices that are merged in the end.
#pragma once

#include "chess/position_pack.h"

typedef struct SampleRecord {
    uint64_t key;      // of the game: random, the same for all copies of it
    uint64_t variant;  // differs between copies that do not offer the same
    uint64_t position; // key of the position
    uint32_t pick;     // which of the game's positions
    uint16_t ply;
    uint8_t result; // GameResult
    Move move;      // MOVE_NONE when it cannot be told
    PackedPosition packed;
    char *label; // owned by the choice
} SampleRecord;

typedef struct SampleChoice {
    SampleRecord *items;
    size_t count, capacity;
    uint64_t keep;     // so many are wanted, UINT64_MAX for all
    size_t compact_at; // tidy up when there are so many
    bool is_cut;       // some were let go
    uint64_t last_key; // records behind it would be let go at once
} SampleChoice;

void sample_choice_init(SampleChoice *choice, uint64_t keep);
void sample_choice_free(SampleChoice *choice);
// False when a record with this key would be let go at once.
bool sample_choice_wants(const SampleChoice *choice, uint64_t key);
// Adds a record, and takes over its label.
void sample_choice_add(SampleChoice *choice, const SampleRecord *record);
// Moves all records of `from`.
void sample_choice_merge(SampleChoice *into, SampleChoice *from);
// Leaves what was chosen, in the order of keys.
void sample_choice_finish(SampleChoice *choice);
