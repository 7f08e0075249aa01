// SPDX-License-Identifier: GPL-3.0-or-later
// What was seen before: a table of keys with the place of each, for finding duplicates in passing.
// It takes 18 to 27 bytes for each key.
#pragma once

#include "base/error.h"

#include <stdint.h>

typedef enum SeenAnswer {
    SEEN_NEVER,
    SEEN_KEY,  // the key was there, with other details
    SEEN_SAME, // key and details were there
} SeenAnswer;

typedef struct SeenTable SeenTable;

SeenTable *seen_create(void);
void seen_destroy(SeenTable *table);
CLEANUP_AT(SeenTable *, seen_destroy)
// Looks a key up and remembers it if it is not there with these details. `place` is any number but
// 0; that of the first one like it is written to `first` if there was one. A full table (some 2^31
// keys, or no memory) is ERR_LIMIT.
MUST_CHECK Status seen_add(SeenTable *table, uint64_t key, uint32_t details, uint32_t place,
                           SeenAnswer *answer, uint32_t *first);
