// SPDX-License-Identifier: GPL-3.0-or-later
// Organisms that stand for players: weights files whose lineage may say whose moves they were made
// from ("player: Korchnoi, Viktor L;Kortchnoi, Viktor L").
#pragma once

#include "eval/weights.h"
#include "fitness/moves/move_scores.h"

typedef struct PlayerModels {
    size_t count;
    const Family *family;
    char *names[MOVE_SCORES_LANES];     // the files' without folder and end, "kasparov"; owned
    char *spellings[MOVE_SCORES_LANES]; // what the lineage says, NULL where it does not; owned
    int *coefficients[MOVE_SCORES_LANES];
} PlayerModels;

// Loads two to MOVE_SCORES_LANES files, found as `locate` does, of one family. ERR_ARG for other
// numbers, mixed families and two of one name.
MUST_CHECK Status player_models_load(PlayerModels *out, const char *const *paths, size_t count);
void player_models_free(PlayerModels *models);
