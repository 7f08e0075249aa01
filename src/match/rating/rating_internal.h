// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a rating, private to this folder: who is connected with whom, where the likelihood
// of the results is highest, and how sure that is. Ratings are in natural units here: one is 400 /
// ln 10 Elo. Both models are one form: with d the difference plus White's advantage and D the draw
// Elo, results are worth
//     up log f(d - D) + down log f(-d - D),   f(x) = 1 / (1 + exp(-x)),
// where a draw counts once (bayeselo) or half (logistic, D = 0) in both.
#pragma once

#include "match/rating/rating.h"

// --- groups (rating_graph.c) ---

typedef struct RatingGroups {
    uint32_t *group;    // owned; of each player
    bool *is_unbounded; // owned; of each group: some of its players never lost to or drew with the
                        // others, so that nothing says how far they are ahead (Ford 1957)
    size_t count;       // groups; 0 has the most players
} RatingGroups;

// Who is connected with whom by games, and whether the results bound how far apart they are.
RatingGroups rating_groups_find(const RatingResult *results, size_t count, size_t players);
void rating_groups_free(RatingGroups *groups);

// --- the likelihood (rating_fit.c) ---

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

// --- errors (rating_error.c) ---

// Turns minus the Hessian of a group of `size` players, row by row, into the covariance of their
// ratings when their mean is fixed.
void rating_invert(double *matrix, size_t size);

// The 95% interval of each player while the others are held where they are, as distances from its
// rating: the likelihood itself is integrated. Infinite for players without meetings.
void rating_hold(const RatingProblem *problem, const RatingFit *fit, double *plus, double *minus);
