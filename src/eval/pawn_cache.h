// SPDX-License-Identifier: GPL-3.0-or-later
// What was found out about pawn structures, by the key of the pawns. One cache serves one set of
// coefficients on one thread.
#pragma once

#include "eval/family.h"

#include <stdalign.h>

// A pawn structure: one line of the processor's cache. Files are bits, the a-file lowest.
typedef struct PawnEntry {
    alignas(64) uint64_t key;
    Bitboard passed[COLOR_NB];
    Bitboard spans[COLOR_NB]; // squares that pawns guard, or may guard once they advance
    Bitboard free[COLOR_NB];  // files without a pawn of that colour
    int32_t score;            // of the terms that depend on pawns alone
    union {
        uint8_t weak_files[COLOR_NB]; // with an isolated or backward pawn
        int32_t endgame;              // in a tapered family, whose score above is the middlegame's
    };
} PawnEntry;

// 256 KiB: more would crowd out of the processor's cache what the search needs more often.
enum { PAWN_CACHE_SLOTS = 1 << 12 };

struct PawnCache {
    PawnEntry slots[PAWN_CACHE_SLOTS];
};

// NULL when memory is short: scores are the same without, and slower.
PawnCache *pawn_cache_create(void);
void pawn_cache_destroy(PawnCache *cache);
// Forgets everything.
void pawn_cache_clear(PawnCache *cache);

// Where the structure of that key is, or would be kept; it is there if the entry has that key.
static inline PawnEntry *pawn_cache_slot(PawnCache *cache, uint64_t key) {
    return &cache->slots[key % PAWN_CACHE_SLOTS];
}
