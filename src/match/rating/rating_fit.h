// SPDX-License-Identifier: GPL-3.0-or-later
// The likelihood of results given ratings, and where it is highest. Ratings are in natural units
// here: one is 400 / ln 10 Elo. Both models are one form: with d the difference plus White's
// advantage and D the draw Elo, results are worth
//     up log f(d - D) + down log f(-d - D),   f(x) = 1 / (1 + exp(-x)),
// where a draw counts once (bayeselo) or half (logistic, D = 0) in both.
#pragma once

#include "match/rating/rating.h"

#define RATING_ELO_PER_UNIT 173.71779276130073 // 400 / ln 10

// What two players scored with these colours.
typedef struct Meeting {
    uint32_t white, black;
    double up, down;
} Meeting;

typedef struct RatingProblem {
    const Meeting *meetings; // borrowed
    size_t count, players;
    double draws; // in all, when each has a likelihood of its own; else 0
    bool fits_advantage, fits_draw_elo;
} RatingProblem;

typedef struct RatingFit {
    double *ratings; // borrowed, one per player: the start, then the maximum
    double advantage, draw_elo;
} RatingFit;

// How strongly a meeting holds its difference: minus the second derivative of the likelihood.
double rating_stiffness(const RatingFit *fit, const Meeting *meeting);
// Log likelihood of a meeting when the difference of the ratings is `difference`.
double rating_likelihood(const RatingFit *fit, const Meeting *meeting, double difference);

// Moves `fit` to the maximum, which is the same wherever it starts: the likelihood is concave. In
// each connected group the mean of the ratings stays as it was.
void rating_maximize(const RatingProblem *problem, RatingFit *fit);
