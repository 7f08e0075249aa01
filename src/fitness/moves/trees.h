// SPDX-License-Identifier: GPL-3.0-or-later
// The trees a run is judged by, within the memory it may take: how much that will be is told before
// they are compiled, and where it is too much the search behind the moves is made shallower, never
// without a word. Trees can be kept on disk for the next run.
#pragma once

#include "base/str.h"
#include "fitness/moves/forest.h"

typedef struct TreesOrder {
    const Family *family;
    ForestKind kind;
    ForestRules rules;              // as asked for; the depth becomes less where memory is short
    size_t max_bytes;               // for all sets together
    const char *cache;              // a directory; "": nothing is kept
    bool only_reads;                // keeps nothing there
    void (*tell)(const char *text); // NULL: nobody wants to know
} TreesOrder;

// Fills forests[i] for each set that is not empty, all by the same rules. ERR_LIMIT where they do
// not fit at any depth. What became of the order, the same for every run of the same settings, is
// appended to `notes`.
MUST_CHECK Status trees_compile(TreesOrder *order, const PlayedSet *sets, size_t count,
                                DistPool *pool, Forest **forests, Str *notes);
