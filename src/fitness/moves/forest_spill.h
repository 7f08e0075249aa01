// SPDX-License-Identifier: GPL-3.0-or-later
// Where the trees of a chunk are while memory has no room for them: in a file of this process.
#pragma once

#include "base/error.h"

#include <stdint.h>

typedef struct Forest Forest;
typedef struct ForestChunk ForestChunk;
typedef struct ForestSpill ForestSpill;

// Nothing is written to the folder before a chunk is put there.
ForestSpill *forest_spill_new(const char *folder);
void forest_spill_free(ForestSpill *spill);
// Where temporary files of any size go: TMPDIR, else /var/tmp, which is a disk where /tmp is not.
const char *forest_spill_folder(void);

// What trees take after many generations that take so much after the first: in 200 generations of
// gecco2009 they come to 1.7 times that.
static inline uint64_t forest_final_bytes(uint64_t bytes) {
    return bytes + bytes / 4 * 3;
}

// Writes a chunk; its memory may be freed then. Before the first, ERR_LIMIT where what will be
// written, by what has grown so far, is more than the disk has room for. Any thread.
MUST_CHECK Status forest_spill_put(const Forest *forest, ForestChunk *chunk);
// Reads a chunk that was put, and asks for those after it.
MUST_CHECK Status forest_spill_get(const Forest *forest, ForestChunk *chunk);
