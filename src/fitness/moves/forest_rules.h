// SPDX-License-Identifier: GPL-3.0-or-later
// The one-ply search with quiescence that every organism runs: which moves it looks at, and where
// it stops. Nothing here depends on weights. The forest is compiled by these rules, and the plain
// search that it is tested against follows them too.
#pragma once

#include "chess/movegen.h"

typedef enum ForestQuiescence {
    QUIESCENCE_NONE,     // the static score after the move
    QUIESCENCE_CAPTURES, // captures and promotions that lose nothing by static exchange
    QUIESCENCE_CHECKS,   // and, at the first ply, quiet checks that lose nothing
} ForestQuiescence;

// Names in the order of the enum, NULL at the end.
extern const char *const quiescence_names[];

typedef struct ForestRules {
    ForestQuiescence quiescence;
    unsigned depth;   // plies of captures after the move, and after the replies
    unsigned replies; // plies after the move in which all moves are looked at; 0: one ply in all
} ForestRules;

// What a mate is worth, in the family's scale. Scores of all members of a family's box stay below:
// a forest is not compiled without proof, and the plain search rests on the test of extreme
// positions.
enum { FOREST_MATE_WORTH = 1 << 30 };

#define FOREST_RULES_DEFAULT ((ForestRules){QUIESCENCE_CAPTURES, 6, 0})

// What a node after the first move may do, at `ply` plies below it (0: the reply).
typedef struct ForestChoices {
    Move moves[MOVES_MAX];
    size_t count;
    bool may_stand; // the side to move may also leave it at the static score
    bool is_mate, is_stalemate;
} ForestChoices;

// All moves among the replies. Then evasions, all of them, at the first ply in check (and after a
// quiet check, which calls for an answer); elsewhere captures down to the rules' depth. Mate and
// stalemate are seen down to the first ply after the replies, and mate wherever all evasions are
// looked at.
void forest_choices(const Position *pos, const ForestRules *rules, unsigned ply, bool must_evade,
                    ForestChoices *out);
// What forest_choices says but for the moves, which need not be found for it; `is_leaf` where there
// are none.
typedef struct ForestStanding {
    bool may_stand, is_mate, is_stalemate, is_leaf;
} ForestStanding;
ForestStanding forest_standing(const Position *pos, const ForestRules *rules, unsigned ply,
                               bool must_evade);
// The order in which equal moves are preferred: lower is first.
static inline unsigned forest_move_order(Move move) {
    return move;
}
