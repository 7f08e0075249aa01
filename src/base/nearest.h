// SPDX-License-Identifier: GPL-3.0-or-later
// The known name nearest to a mistyped one.
#pragma once

#include "base/error.h"

#include <stddef.h>

// The one of `count` names closest to `word` (case ignored), or NULL when none is near.
const char *nearest_name(const char *word, const char *const *names, size_t count);
// How many letters must be added, removed or changed to get from one word to the other (case
// ignored); very long words are far from all others.
unsigned nearest_distance(const char *a, const char *b);
// Adds ": did you mean 'NAME'?" to this thread's message where one of the names is near; returns
// `status`.
Status nearest_suggest(Status status, const char *word, const char *const *names, size_t count);
