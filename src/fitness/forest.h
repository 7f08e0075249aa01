// SPDX-License-Identifier: GPL-3.0-or-later
// The search trees of all positions of a set, compiled once and then run for many organisms at a
// time: does the organism, at one ply with quiescence, choose the move that was played? A node says
// how its counts differ from its parent's; what all moves of a position have in common is left out.
#pragma once

#include "dist/pool.h"
#include "eval/family.h"
#include "fitness/forest_rules.h"
#include "fitness/played_set.h"

typedef struct Forest Forest;

typedef struct ForestConfig {
    const Family *family;
    ForestRules rules;
    // The largest size each coefficient may have: from it comes the proof that 16 bits suffice.
    const int32_t *limits;
    // Coefficients by which moves are ordered, the likely ones first; changes no result.
    const int32_t *guide;
    size_t max_bytes; // ERR_LIMIT beyond; 0: no limit
} ForestConfig;

typedef struct ForestTotals {
    size_t positions, wide; // wide: those that need 32 bits
    uint64_t moves, nodes, differences, bytes;
} ForestTotals;

// Compiles on all threads; the same forest for any number of them.
MUST_CHECK Status forest_compile(Forest **out, const PlayedSet *set, const ForestConfig *config,
                                 DistPool *pool);
void forest_free(Forest *forest);
ForestTotals forest_totals(const Forest *forest);

// How equal moves are told apart.
typedef enum ForestTies {
    TIES_BY_ORDER, // the first in forest_move_order is chosen
    TIES_WON,      // the played move is chosen if none is better
    TIES_LOST,     // only if it is better than all others
} ForestTies;

// hits[i] becomes the number of positions in which organism i, of one coefficient per count,
// chooses the move that was played. ERR_ARG where a coefficient is beyond its limit.
MUST_CHECK Status forest_hits(const Forest *forest, const int32_t *coefficients, size_t organisms,
                              ForestTies ties, DistPool *pool, int64_t *hits);
// The same over some of the positions: those that `wanted` marks, all where it is NULL.
MUST_CHECK Status forest_hits_among(const Forest *forest, const bool *wanted,
                                    const int32_t *coefficients, size_t organisms, ForestTies ties,
                                    DistPool *pool, int64_t *hits);
// The same position by position, for one organism.
MUST_CHECK Status forest_marks(const Forest *forest, const int32_t *coefficients, ForestTies ties,
                               DistPool *pool, bool *marks);
