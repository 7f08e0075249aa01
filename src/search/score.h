// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of the search: centipawns, or the distance to mate in plies from the root.
#pragma once

#include <stdbool.h>

enum {
    PLY_MAX = 240, // no line of the search is longer
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002,
    SCORE_MATE_LEAST = SCORE_MATE - PLY_MAX, // this or more is a forced mate
    SCORE_KNOWN_WIN = 10000,                 // won by knowledge, mate not yet in sight
};

typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

static inline int score_mated_in(int ply) {
    return -SCORE_MATE + ply;
}
static inline int score_mate_in(int ply) {
    return SCORE_MATE - ply;
}
static inline bool score_is_mate(int score) {
    return score >= SCORE_MATE_LEAST || score <= -SCORE_MATE_LEAST;
}
