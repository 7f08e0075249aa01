// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the sampler share.
#pragma once

#include "data/games_pass.h"
#include "data/names.h"
#include "data/sample/sample.h"
#include "data/sample/sample_choice.h"
#include "data/sample/sample_frequency.h"
#include "data/seen.h"
#include "dist/pool.h"

// A game that passed the filters, of the chunk in hand.
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
    uint16_t *plies; // of the game in hand that may be picked
    size_t ply_capacity;
    Position pos; // of the game in hand, after `pos_ply` moves
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
