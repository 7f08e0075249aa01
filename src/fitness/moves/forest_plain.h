// SPDX-License-Identifier: GPL-3.0-or-later
// The forest's plain twin: an ordinary alpha-beta search of one position for one organism, by the
// same rules. Slow, simple, and what the forest is tested against. Where a position is looked at
// once only, it is also the cheaper of the two.
#pragma once

#include "fitness/moves/forest.h"

enum { FOREST_PLIES_MAX = 64 };

typedef enum ForestEnd { END_STATIC, END_MATE, END_STALEMATE } ForestEnd;

// The moves that both sides choose, from a position down to the leaf that decides its score.
typedef struct ForestLine {
    Move moves[FOREST_PLIES_MAX];
    size_t count;
    ForestEnd end;
} ForestLine;

// The organism's score of every legal move, and where it comes from.
typedef struct ForestScores {
    Move moves[MOVES_MAX];
    int scores[MOVES_MAX]; // as the side to move sees it
    ForestLine lines[MOVES_MAX];
    size_t count;
} ForestScores;

// All moves, none of them cut short. `cache` may be NULL; it belongs to these coefficients.
void forest_plain_scores(const Position *pos, const Family *family, const int *coefficients,
                         const ForestRules *rules, PawnCache *cache, ForestScores *out);
// The move the organism chooses; `value` (may be NULL) is its score.
Move forest_plain_choice(const Position *pos, const Family *family, const int *coefficients,
                         const ForestRules *rules, int *value);
// Whether it chooses the move that was played, by each way to tell equal moves apart.
bool forest_plain_hit(const PlayedItem *item, const Family *family, const int *coefficients,
                      const ForestRules *rules, ForestTies ties);
// The same for TIES_BY_ORDER, in less time: the search ends with the first move that is better.
// `cache` may be NULL; it belongs to these coefficients.
bool forest_plain_chooses(const PlayedItem *item, const Family *family, const int *coefficients,
                          const ForestRules *rules, PawnCache *cache);
// The place of the played move among all, 1 for the best; equal moves in forest_move_order. It is
// tied where no move is better, and another as good.
typedef struct ForestRank {
    unsigned place;
    bool is_tied;
} ForestRank;
ForestRank forest_plain_rank(const PlayedItem *item, const Family *family, const int *coefficients,
                             const ForestRules *rules);
// What the side to move can reach, standing or taking: the value of forest_values.
int forest_plain_value(const Position *pos, const Family *family, const int *coefficients,
                       const ForestRules *rules);
// What the side to move can reach at a node of the tree, in the family's scale, with its mates.
int forest_plain_worth(const Position *pos, const Family *family, const int *coefficients,
                       const ForestRules *rules, PawnCache *cache, unsigned ply, bool must_evade);
// hits[i] becomes the number of positions in which organism i chooses the move that was played. For
// few organisms this is as fast as a forest, and needs no memory.
MUST_CHECK Status forest_plain_hits(const PlayedSet *set, const Family *family,
                                    const ForestRules *rules, const int32_t *coefficients,
                                    size_t organisms, DistPool *pool, int64_t *hits);
