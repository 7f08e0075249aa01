// SPDX-License-Identifier: GPL-3.0-or-later
// Ends games that are decided, by what the players themselves say of them.
#pragma once

#include "chess/types.h"

// All zero: no adjudication of that kind.
typedef struct AdjudicationRules {
    int resign_moves, resign_cp;        // so many moves in a row at this score or worse: lost
    bool resign_needs_both;             // and only when the opponent's scores agree
    int draw_from, draw_moves, draw_cp; // from this move on, so many in a row within this: a draw
    int max_moves;                      // a game longer than this is a draw
} AdjudicationRules;

// What is usual where many games are played to learn from them: lost when both players say so by
// 600 centipawns in three moves, drawn when both see 20 at most in eight, from move 34 on.
AdjudicationRules adjudication_usual(int max_moves);

typedef struct Adjudicator {
    const AdjudicationRules *rules; // borrowed
    int bad[COLOR_NB];              // moves in a row that a player thought lost
    int good[COLOR_NB];             // won
    int even[COLOR_NB];             // and even
} Adjudicator;

typedef enum Adjudication {
    ADJUDICATED_NONE,
    ADJUDICATED_LOST, // by the player who just moved
    ADJUDICATED_DRAW,
    ADJUDICATED_TOO_LONG,
} Adjudication;

// What a player thought of its move, as centipawns; mates are beyond every score.
typedef struct MoveOpinion {
    Color mover;
    unsigned number; // of the move in this game, from 1; both colours' moves have the same
    bool has_score;
    int score_cp;
} MoveOpinion;

// Takes one more move into account and says whether the game is over. Both players must agree to a
// draw; resigning is a player's own affair unless the rules say otherwise.
Adjudication adjudicate(Adjudicator *judge, const MoveOpinion *opinion);
