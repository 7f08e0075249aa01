// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings of many players by maximum likelihood, with errors. Pure maths, total: players who never
// lost, players who never met and games of nobody at all have finite ratings or none.
#pragma once

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Games between two players with these colours, from White's view.
typedef struct RatingResult {
    uint32_t white, black; // numbers of players, from 0; never the same
    double wins, draws, losses;
} RatingResult;

typedef enum RatingModel {
    RATING_BAYESELO, // draws have a likelihood of their own, and ratings a scale
    RATING_LOGISTIC, // a draw is half a win and half a loss
} RatingModel;
extern const char *const rating_model_names[]; // NULL-terminated

// Whether an error of a rating takes its opponents' into account.
typedef enum RatingErrors {
    RATING_ERRORS_JOINT, // all ratings vary together: the inverse of the Hessian
    RATING_ERRORS_HELD,  // opponents are held where they are: what bayeselo calls exactdist
} RatingErrors;
extern const char *const rating_errors_names[]; // NULL-terminated

enum { RATING_NOBODY = UINT32_MAX };

typedef struct RatingConfig {
    RatingModel model;
    RatingErrors errors;
    double advantage, draw_elo;         // of White; the difference at which draws end (bayeselo's)
    bool fits_advantage, fits_draw_elo; // find them too: the values above are where to start
    double prior;                       // virtual draws: half of them each player adds
    double mean;                        // of a group's ratings, unless the anchor is in it
    uint32_t anchor;                    // RATING_NOBODY, or a player whose rating is given
    double anchor_elo;
} RatingConfig;

// bayeselo: advantage 32.8, draw Elo 97.3, prior 2. Logistic: all three 0.
RatingConfig rating_defaults(RatingModel model);

typedef struct Rating {
    double elo;
    double plus, minus; // to the ends of the 95% interval; infinite for a player without games
    double games, score, draws; // score and draws as shares of the games
    double opponents;           // their mean rating, by games
    uint32_t group;             // players that no chain of games connects are in different groups
    bool is_bounded;            // finite only thanks to RATING_BOUND_PRIOR
} Rating;

// Where results alone would put ratings infinitely far apart, this prior is used: it stands for one
// draw of each player.
#define RATING_BOUND_PRIOR 2.0
// Groups with more players than this have errors with their opponents held.
enum { RATING_JOINT_MAX = 2500 };

typedef struct Ratings {
    Rating *players;            // owned; as numbered
    size_t count, group_count;  // groups: 0 has the most players
    double advantage, draw_elo; // as given or found
    double scale;               // from the likelihood's Elo to the ratings': 1 if logistic
    bool are_errors_held;       // of one group at least: as asked for, or because it is large
    struct RatingBlocks *joint; // owned; how the players of a group vary together
} Ratings;

// Rates `players` players by the results. Free with ratings_free.
Ratings *ratings_compute(const RatingResult *results, size_t count, size_t players,
                         const RatingConfig *config);
void ratings_free(Ratings *ratings);
CLEANUP_AT(Ratings *, ratings_free)

// Likelihood that `a` is stronger than `b`; NaN when they are in different groups.
double ratings_superiority(const Ratings *ratings, uint32_t a, uint32_t b);
