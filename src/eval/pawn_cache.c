// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/pawn_cache.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

PawnCache *pawn_cache_create(void) {
    PawnCache *cache = mem_alloc_pages(sizeof *cache);
    if (cache != NULL)
        pawn_cache_clear(cache);
    return cache;
}

void pawn_cache_destroy(PawnCache *cache) {
    free(cache);
}

void pawn_cache_clear(PawnCache *cache) {
    memset(cache, 0, sizeof *cache);
    cache->slots[0].key = 1; // belongs elsewhere, as key 0 does in all other slots: nothing matches
}
