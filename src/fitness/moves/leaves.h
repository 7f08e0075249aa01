// SPDX-License-Identifier: GPL-3.0-or-later
// The leaves that decide the score of every move of a set, for one organism. While they stay the
// deciding ones, the score of a move is linear in the coefficients, and a slope is far
// cheaper than one of the trees. Whoever goes far finds them anew.
#pragma once

#include "eval/family.h"
#include "fitness/gradient/slope.h"
#include "fitness/moves/forest_rules.h"
#include "fitness/moves/played_set.h"

typedef struct Leaves Leaves;

typedef struct LeavesConfig {
    const Family *family;
    ForestRules rules;
    size_t max_bytes;      // ERR_LIMIT beyond; 0: no limit
    size_t step_positions; // a step down looks at a part of so many at least; 0: at all
} LeavesConfig;

typedef struct LeavesTotals {
    size_t positions;
    uint64_t moves, differences, bytes;
    uint64_t hits; // positions in which the organism chooses the played move, as TIES_BY_ORDER
} LeavesTotals;

// Searches every position for the organism of these coefficients; the same for any number of
// threads.
MUST_CHECK Status leaves_find(Leaves **out, const PlayedSet *set, const LeavesConfig *config,
                              const int32_t *coefficients, DistPool *pool);
void leaves_free(Leaves *leaves);
CLEANUP_AT(Leaves *, leaves_free)
LeavesTotals leaves_totals(const Leaves *leaves);

// The hits among the totals, without leaves: in less time.
MUST_CHECK Status leaves_count_hits(const PlayedSet *set, const LeavesConfig *config,
                                    const int32_t *coefficients, DistPool *pool, uint64_t *hits);

// By how much moves change what each coefficient is multiplied with, as a root of mean squares over
// the moves that change it at all; 0 where none does.
void leaves_reach(const Leaves *leaves, double *out);

// Loss and slope as if the leaves stayed the deciding ones; coefficients are real numbers.
MUST_CHECK Status leaves_slope(const Leaves *leaves, const double *coefficients, SlopeKind kind,
                               DistPool *pool, Slope *out);
// The same for who goes down slopes, in parts if so configured; the leaves are borrowed.
SlopeSource leaves_slope_source(const Leaves *leaves);
// How many positions a part of that source has.
size_t leaves_part_positions(const Leaves *leaves, size_t part);

// Leaves of which each position counts so many times: a set drawn from theirs, without a search.
typedef struct LeavesCounted {
    const Leaves *leaves;
    const uint32_t *counts; // one per position
} LeavesCounted;

// Loss, hits and slope over the positions as they count; at least one must.
MUST_CHECK Status leaves_counted_slope(const LeavesCounted *counted, const double *coefficients,
                                       SlopeKind kind, DistPool *pool, Slope *out);
// The same for who goes down slopes; what is counted is borrowed.
SlopeSource leaves_counted_source(const LeavesCounted *counted);
