// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table: what searches found, by position, shared by all threads without locks.
#pragma once

#include "base/error.h"
#include "chess/move.h"
#include "search/score.h"

typedef struct TT TT;

typedef struct TTData {
    Move move;
    int16_t score; // as stored: mates count from this position
    int16_t eval;  // static score, or SCORE_NONE
    uint8_t depth;
    uint8_t bound; // Bound; BOUND_NONE where nothing was found
    bool pv;       // an exact score was wanted once
} TTData;

// Whether it can be stored: a bound, and scores that a search can have.
bool tt_data_is_valid(const TTData *data);

// A table of that many MiB; ERR_LIMIT when there is not so much memory.
MUST_CHECK Status tt_create(TT **out, size_t megabytes);
void tt_destroy(TT *tt);
CLEANUP_AT(TT *, tt_destroy)
void tt_clear(TT *tt);
// Called once a search: what older searches left is replaced first.
void tt_new_search(TT *tt);

// What is known of a position. Scores of mates are made relative to the root by `ply`.
bool tt_probe(const TT *tt, uint64_t key, int ply, TTData *out);
void tt_store(TT *tt, uint64_t key, int ply, TTData data);
void tt_prefetch(const TT *tt, uint64_t key);
// How full the table is with results of this search, in thousandths.
int tt_full_permille(const TT *tt);
