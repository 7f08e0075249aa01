// SPDX-License-Identifier: GPL-3.0-or-later
// Who is connected with whom by games, and whether the results bound how far apart they are.
#pragma once

#include "match/rating/rating.h"

typedef struct RatingGroups {
    uint32_t *group;    // owned; of each player
    bool *is_unbounded; // owned; of each group: some of its players never lost to or drew with the
                        // others, so that nothing says how far they are ahead (Ford 1957)
    size_t count;       // groups; 0 has the most players
} RatingGroups;

RatingGroups rating_groups_find(const RatingResult *results, size_t count, size_t players);
void rating_groups_free(RatingGroups *groups);
