// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of mentors that are known already, in an SQLite file. One thread at a time uses a cache;
// several processes may share a file. What was committed survives the death of the process.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>

typedef struct LabelCache LabelCache;

// Opens or makes the file. `mentor` names everything an answer depends on but the position. A file
// that is damaged, locked or something else is an error that says what to do.
MUST_CHECK Status label_cache_open(LabelCache **out, const char *path, const char *mentor);
// Commits nothing. NULL is fine.
void label_cache_close(LabelCache *cache);
CLEANUP_AT(LabelCache *, label_cache_close)

// Appends the answer to `out` if there is one for the position (the four fields of an EPD).
MUST_CHECK Status label_cache_get(LabelCache *cache, const char *position, Str *out, bool *found);
// Between begin and commit nothing is kept yet. An answer that is there already stands.
MUST_CHECK Status label_cache_begin(LabelCache *cache);
MUST_CHECK Status label_cache_put(LabelCache *cache, const char *position, const char *answer);
MUST_CHECK Status label_cache_commit(LabelCache *cache);
// Takes back what was put since the beginning, after a failure.
void label_cache_roll_back(LabelCache *cache);
