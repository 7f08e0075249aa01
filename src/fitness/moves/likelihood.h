// SPDX-License-Identifier: GPL-3.0-or-later
// What the moves of games say about who chose them: how many each organism would have chosen, and
// how likely all of them are where a move is chosen by softmax over the scores of all moves, or now
// and then blindly.
#pragma once

#include "data/player_moves/player_moves.h"
#include "dist/pool.h"
#include "fitness/moves/move_scores.h"

// The temperatures that likelihoods are computed for: a geometric row, in centipawns that make a
// move e times as likely.
enum { LIKELIHOOD_STEPS = 12 };
double likelihood_temperature(unsigned step);

// How often a move is chosen blindly, whatever it is worth: without it, one sacrifice that no
// search of one ply understands would outweigh a whole game.
#define LIKELIHOOD_BLINDNESS 0.02

// What was moved, or that something was taken, or that check was given: whoever likes which.
typedef enum MoveKindCount {
    COUNT_PAWN, // quiet moves, by piece
    COUNT_KNIGHT,
    COUNT_BISHOP,
    COUNT_ROOK,
    COUNT_QUEEN,
    COUNT_KING,
    COUNT_CAPTURE, // and promotions
    COUNT_CHECK,   // besides
    COUNT_NB,
} MoveKindCount;

// Of one game, or of several together: sums over the moves, by organism.
typedef struct Evidence {
    unsigned moves;
    unsigned counts[COUNT_NB];
    unsigned hits[MOVE_SCORES_LANES]; // equal moves in forest_move_order, as TIES_BY_ORDER
    double log_likelihood[LIKELIHOOD_STEPS][MOVE_SCORES_LANES];
} Evidence;

typedef struct LikelihoodConfig {
    const Family *family;
    ForestRules rules;
    const int *const *coefficients; // of each organism
    size_t organisms;               // at most MOVE_SCORES_LANES
    unsigned skip_plies;
} LikelihoodConfig;

// out[i] becomes the evidence of games[i]; the same for any number of threads.
MUST_CHECK Status likelihood_of_games(const LikelihoodConfig *config,
                                      const PlayerGame *const *games, size_t count, DistPool *pool,
                                      Evidence *out);
void evidence_add(Evidence *sum, const Evidence *added);
// The same of one position for one organism at one temperature (in units of scores): the logarithm
// of the chosen move's probability.
double likelihood_of_move(const int *scores, size_t count, size_t chosen, double temperature);
