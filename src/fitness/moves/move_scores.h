// SPDX-License-Identifier: GPL-3.0-or-later
// The score of every legal move of a position for several organisms of a family at once: one ply
// and quiescence by the forest's rules, exactly as forest_plain_scores has it for one. Moves are
// generated and positions counted once for all of them, so that ten organisms cost about three.
#pragma once

#include "eval/family.h"
#include "fitness/moves/forest_rules.h"

enum { MOVE_SCORES_LANES = 16 };

typedef struct MoveScoreSearch MoveScoreSearch;

// coefficients[i] are those of organism i; at most MOVE_SCORES_LANES organisms.
MoveScoreSearch *move_scores_create(const Family *family, const ForestRules *rules,
                                    const int *const *coefficients, size_t organisms);
void move_scores_destroy(MoveScoreSearch *search);

typedef struct MoveScores {
    Move moves[MOVES_MAX];
    int scores[MOVES_MAX][MOVE_SCORES_LANES]; // as the side to move sees it, by organism
    size_t count;
} MoveScores;

// One thread at a time for each search.
void move_scores_find(MoveScoreSearch *search, const Position *pos, MoveScores *out);
