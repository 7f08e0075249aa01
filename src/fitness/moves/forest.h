// SPDX-License-Identifier: GPL-3.0-or-later
// The search trees of all positions of a set, run for many organisms at a time: does the organism,
// at one ply with quiescence, choose the move that was played? A node says how its counts differ
// from its parent's; what all moves of a position have in common is left out. Trees grow where
// organisms look: a node's children are found when the first of them asks, and then kept.
#pragma once

#include "dist/pool.h"
#include "eval/family.h"
#include "fitness/moves/forest_rules.h"
#include "fitness/moves/played_set.h"

typedef struct Forest Forest;

// What a forest can be asked: which move is chosen, or what the positions themselves are worth.
typedef enum ForestKind { FOREST_CHOICES, FOREST_VALUES } ForestKind;

// In which order moves are tried; changes no choice and no value. Where leaves are equally good,
// slopes take the first.
typedef enum ForestOrder {
    ORDER_STATIC,   // by the guide's static scores at first; what decides a node moves to the front
    ORDER_SEARCHED, // by the guide's search, and so it stays
} ForestOrder;

typedef struct ForestConfig {
    const Family *family;
    ForestRules rules;
    // The largest size each coefficient may have: from it comes the proof that 16 bits suffice.
    const int32_t *limits;
    // Coefficients by which moves are ordered, the likely ones first.
    const int32_t *guide;
    // Beyond, what was grown last is written to a file and read again; 0: no limit.
    size_t max_bytes;
    // Where to; NULL: what was grown last is forgotten, and grown again when it is asked for.
    const char *folder;
    ForestOrder order;
} ForestConfig;

// What has grown so far.
typedef struct ForestTotals {
    size_t positions, wide; // wide: those that need 32 bits
    uint64_t moves, nodes, differences, bytes;
} ForestTotals;

// A forest in which nothing has grown. The set is borrowed. One thread may use a forest at a time;
// the pool it hands over does the work.
Forest *forest_new(ForestKind kind, const PlayedSet *set, const ForestConfig *config);
void forest_free(Forest *forest);
CLEANUP_AT(Forest *, forest_free)
ForestTotals forest_totals(const Forest *forest);
// How large the file of what does not fit the memory is.
uint64_t forest_stored(const Forest *forest);

// --- choices, of a forest for choices ---

// How equal moves are told apart.
typedef enum ForestTies {
    TIES_BY_ORDER, // the first in forest_move_order is chosen
    TIES_WON,      // the played move is chosen if none is better
    TIES_LOST,     // only if it is better than all others
} ForestTies;

// hits[i] becomes the number of positions in which organism i, of one coefficient per count,
// chooses the move that was played. ERR_ARG where a coefficient is beyond its limit, or limits are
// so wide that scores may not fit 32 bits.
MUST_CHECK Status forest_hits(const Forest *forest, const int32_t *coefficients, size_t organisms,
                              ForestTies ties, DistPool *pool, int64_t *hits);
// The same over some of the positions: those that `wanted` marks, all where it is NULL.
MUST_CHECK Status forest_hits_among(const Forest *forest, const bool *wanted,
                                    const int32_t *coefficients, size_t organisms, ForestTies ties,
                                    DistPool *pool, int64_t *hits);
// The same position by position, for one organism.
MUST_CHECK Status forest_marks(const Forest *forest, const int32_t *coefficients, ForestTies ties,
                               DistPool *pool, bool *marks);

// --- values, of a forest for values; not of tapered families, whose units are too fine ---

// A value is what the side to move can reach by the rules, standing or taking, as it sees it, in
// the family's units; a mate counts FOREST_MATE_VALUE.
enum { FOREST_MATE_VALUE = 32000 };

// errors[i] becomes the sum over the positions (those `wanted` marks, all where it is NULL) of
// |label - value| for organism i. The same for any number of threads.
MUST_CHECK Status forest_errors(const Forest *forest, const bool *wanted, const int32_t *labels,
                                const int32_t *coefficients, size_t organisms, DistPool *pool,
                                int64_t *errors);
// The values of one organism, position by position.
MUST_CHECK Status forest_values(const Forest *forest, const int32_t *coefficients, DistPool *pool,
                                int32_t *values);
