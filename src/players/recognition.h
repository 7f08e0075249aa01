// SPDX-License-Identifier: GPL-3.0-or-later
// Who played, by the moves: three rules that turn the evidence of some games into a score for each
// player, and the calibration that turns scores into probabilities that are right.
#pragma once

#include "fitness/moves/likelihood.h"

typedef enum RecognitionRule {
    RULE_HITS,       // the papers': whose organism agrees with most moves
    RULE_LIKELIHOOD, // whose organism makes the moves most likely
    RULE_COMBINED,   // the same, and a linear discriminant over all likelihoods and kinds of moves
    RULE_NB,
} RecognitionRule;

// "agreement", "likelihood", "combined"; ended by NULL, for the command line.
extern const char *const recognition_rule_names[RULE_NB + 1];

enum { RECOGNITION_BUNDLE = 10, RECOGNITION_FEATURES = MOVE_SCORES_LANES + COUNT_NB };

typedef struct Recognition {
    size_t players;
    unsigned step; // of likelihood_temperature
    // Moves of one game depend on each other: so many moves' worth of evidence is one.
    double power[RULE_NB];
    // How surprising (in nats) it was who played RECOGNITION_BUNDLE games to calibrate with, for a
    // discriminant learned from others of them: what models can be compared by before any test.
    double surprise[RULE_NB];
    bool has_combined;
    double weights[MOVE_SCORES_LANES]
                  [RECOGNITION_FEATURES]; // of the discriminant, for sums of features
    double bias[MOVE_SCORES_LANES];       // for each move
} Recognition;

// One game of a known player.
typedef struct KnownGame {
    const Evidence *evidence;
    size_t player;
} KnownGame;

// What is right without games to learn it from: the temperature of training, and a cautious power.
void recognition_init(Recognition *recognition, size_t players);
// Learns temperature, discriminant and powers from games that the organisms were not trained on.
// ERR_ARG where a player has fewer than RECOGNITION_GAMES_MIN.
enum { RECOGNITION_GAMES_MIN = 20 };
MUST_CHECK Status recognition_fit(Recognition *recognition, size_t players, const KnownGame *games,
                                  size_t count);

// Whether it can be asked: its numbers are finite, and of as many players as there can be.
bool recognition_is_valid(const Recognition *recognition);
// Probabilities of the players; `prior` may be NULL, for all alike.
void recognition_posterior(const Recognition *recognition, RecognitionRule rule,
                           const Evidence *evidence, const double *prior, double *posterior);

// A file holds what was learned, for these players in this order; names have no blanks. ERR_ARG
// where it is for another number of players, ERR_PARSE where for others.
MUST_CHECK Status recognition_save(const Recognition *recognition, const char *const *names,
                                   const char *path);
MUST_CHECK Status recognition_load(Recognition *out, const char *const *names, size_t players,
                                   const char *path);

// --- a trial (recognition_trial.c) ---

// How well players are recognised: bundles of games of years or events that nothing was learned
// from, all rules, and what they must be compared with.
enum { TRIAL_SIZES_MAX = 8, TRIAL_OPENINGS = RULE_NB, TRIAL_RULES };

// "agreement", "likelihood", "combined", "openings alone".
extern const char *const trial_rule_names[TRIAL_RULES];

typedef struct TrialConfig {
    LikelihoodConfig organisms;
    const char *const *names; // of the players, for messages
    PlayerSplit split;
    uint64_t seed;
    // The share of years or events that organisms were not trained on. Two thirds of it are tested
    // on, the rest calibrates.
    double hold_out;
    unsigned bundle, bundles; // games in a bundle, bundles of each player
    unsigned permutations;
} TrialConfig;

// Bundles of one size.
typedef struct TrialSize {
    unsigned games;
    uint64_t bundles, right[TRIAL_RULES];
    double stated[RULE_NB]; // the mean probability that the rule gave to its answer
} TrialSize;

typedef struct Trial {
    size_t players;
    Recognition fit;
    size_t calibration_games, test_games, test_moves;
    size_t size_count;
    TrialSize sizes[TRIAL_SIZES_MAX]; // the largest, `bundle`, last
    // Of the largest: answers by player, and how likely so many right ones are by chance.
    uint64_t confusion[TRIAL_RULES][MOVE_SCORES_LANES][MOVE_SCORES_LANES];
    double chance[TRIAL_RULES]; // from permuted labels; NaN without permutations
    uint64_t commonest_right;   // had the answer always been the player with the most games
} Trial;

// ERR_ARG, before anything is computed, where a player has too few games.
MUST_CHECK Status recognition_trial(const TrialConfig *config, const PlayerGames *games,
                                    DistPool *pool, Trial *out);
