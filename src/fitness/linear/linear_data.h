// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of EPD files as one family counts them, with the results of their games (`c9 "1-0"`)
// and a mentor's scores (`ce`), or as another engine counted and labelled them, for fitting. All is
// as White sees it.
#pragma once

#include "base/rng.h"
#include "dist/pool.h"
#include "eval/family.h"
#include "fitness/linear/coefficient_header.h"
#include "fitness/linear/linear_set.h"
#include "fitness/linear/mentor_label.h"

// Which positions are not learned from, but kept to choose by.
typedef struct Holdout {
    double share; // of the games, or of positions of which no game is known
    uint64_t seed;
} Holdout;

enum { USE_HOLDOUT = 0x686F6C64 }; // keeps these draws apart from others

// What has the same key is taken or not wherever it stands, so that equal positions never part.
static inline bool holdout_takes_key(const Holdout *holdout, uint64_t key) {
    Rng rng = rng_at(holdout->seed, (uint32_t)key, (uint32_t)(key >> 32), USE_HOLDOUT);
    return rng_real(&rng) < holdout->share;
}

typedef struct LinearDataOptions {
    const Family *family;
    const CoefficientHeader *header;  // of a foreign family, whose files are coefficients
    bool needs_results, needs_scores; // positions without are left out, and counted
    bool quiet_only;     // leaves out positions where a capture wins material, for either side
    bool skips_mates;    // and those with a mate ahead: `dm`, or in one move
    unsigned skip_plies; // and the first so many of a game, where `id` tells the ply
    MentorLimits limits;
    Holdout holdout;
} LinearDataOptions;

typedef struct LinearData {
    LinearSet set;   // scores are centipawns; targets are left at 0
    float *results;  // 1, 0.5 or 0; there where needed, one per position
    float *scores;   // the mentor's, in centipawns
    uint64_t *games; // which positions are of the same game: a key each
    size_t results_capacity, scores_capacity, games_capacity;
} LinearData;

// Sets made of one or more files.
typedef struct LinearPair {
    LinearData training, held_out; // the latter may be empty
    MentorTotals totals;           // of all lines
    uint64_t hash; // of the lines that are not empty, whatever the files were packed with
} LinearPair;

void linear_pair_init(LinearPair *pair, const Family *family);
void linear_pair_free(LinearPair *pair);
// Adds a file's positions. Bad lines are errors that name file and line; so is a file in which no
// position is left, and the message says where they went.
MUST_CHECK Status linear_pair_read(LinearPair *pair, const char *path,
                                   const LinearDataOptions *options, DistPool *pool);
// Positions of one game share its result, and are alike: they are held out together, and are one
// piece of evidence rather than many. `falconer sample` names the game in `c8`,
// and the ply in `id`; without `c8` the rest of `id` names the game.
uint64_t linear_game_of(const Epd *epd, unsigned *ply);
// Different games.
size_t linear_data_games(const LinearData *data);
// Targets in centipawns: the mentor's scores.
void linear_data_aim_at_scores(LinearData *data);
// Targets as probabilities: `lambda` times the result and the rest from the mentor's score, each
// where it has a part.
void linear_data_aim_at_mix(LinearData *data, double lambda, double mentor_k);
