// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the sampler share.
#pragma once

#include "chess/position_pack.h"
#include "data/games_pass.h"
#include "data/names.h"
#include "data/sample/sample.h"
#include "data/seen.h"
#include "dist/pool.h"

// --- a choice of records (sample_choice.c) ---

// Records of positions, of which those with the smallest keys are kept, each position once. What is
// kept does not depend on the order in which records come, nor on how they were spread over several
// choices that are merged in the end.
typedef struct SampleRecord {
    uint64_t key;      // of the game: random, the same for all copies of it
    uint64_t game;     // its identity, whatever the seed
    uint64_t variant;  // differs between copies that do not offer the same
    uint64_t position; // key of the position
    uint32_t pick;     // which of the game's positions
    uint16_t ply;
    uint8_t result; // GameResult
    Move move;      // MOVE_NONE when it is unknown
    PackedPosition packed;
    char *label; // owned by the choice
} SampleRecord;

typedef struct SampleChoice {
    SampleRecord *items;
    size_t count, capacity;
    uint64_t keep;     // so many are wanted, UINT64_MAX for all
    size_t compact_at; // tidy up when there are so many
    bool is_cut;       // some were dropped
    uint64_t last_key; // records behind it would be dropped at once
} SampleChoice;

void sample_choice_init(SampleChoice *choice, uint64_t keep);
void sample_choice_free(SampleChoice *choice);
// False when a record with this key would be dropped at once.
bool sample_choice_wants(const SampleChoice *choice, uint64_t key);
// Adds a record, and takes over its label.
void sample_choice_add(SampleChoice *choice, const SampleRecord *record);
// Moves all records of `from`.
void sample_choice_merge(SampleChoice *into, SampleChoice *from);
// Leaves what was chosen, in the order of keys.
void sample_choice_finish(SampleChoice *choice);
// Whether it is finished: at most `keep` records, in order.
bool sample_choice_is_valid(const SampleChoice *choice);

// --- frequencies (sample_frequency.c) ---

// How many games pass through each position: a table of 48 bytes for each, in at most 1 GiB.
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

// --- the sample ---

// A game that passed the filters, of the current chunk.
typedef struct PassedGame {
    uint64_t identity; // the same for all copies
    uint64_t variant;  // see SampleRecord
    bool offers;       // has a position that passes
    size_t visit_end;  // behind its part of `visits`
} PassedGame;

// A position that such a game passes through: for counting frequencies.
typedef struct Visit {
    uint64_t key;
    PackedPosition packed;
} Visit;

// What one thread works with.
typedef struct SampleWorker {
    struct Sample *sample;
    const SampleOptions *options;
    const Name *players; // the names of options->players
    SampleTotals totals;
    RatedNames *names;
    SampleChoice choice;
    uint16_t *plies; // of the current game that may be picked
    size_t ply_capacity;
    Position pos; // of the current game, after `pos_ply` moves
    size_t pos_ply;
    bool pos_after_quiet; // the last of them was neither a capture nor a promotion
    PassedGame *passed;
    size_t passed_count, passed_capacity;
    Visit *visits;
    size_t visit_count, visit_capacity;
} SampleWorker;

struct Sample {
    SampleOptions options;
    Name *players;
    DistPool *pool;
    SampleWorker *workers; // one for each thread
    // Shared by the workers, one at a time:
    SeenTable *seen, *seen_offering;
    FrequencyTable frequency;
    SampleTotals totals;                   // what no worker counts
    size_t set_begin[SAMPLE_SETS_MAX + 1]; // in what workers[0] chose, once it is finished
};

// Whether a game can pass, as far as its tags tell. `context` is a worker.
bool sample_wants(void *context, const PgnGame *game);
// Filters a game, counts it, and adds its positions to the worker's choice or visits. False when
// its moves were passed over for a result that the game itself does not tell: it must be read again
// with its moves. `context` is a worker.
MUST_CHECK bool sample_take_game(void *context, const PgnGame *game);
