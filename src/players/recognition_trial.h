// SPDX-License-Identifier: GPL-3.0-or-later
// How well players are recognised: bundles of games of years or events that nothing was learned
// from, all rules, and what they must be compared with.
#pragma once

#include "players/recognition.h"

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
