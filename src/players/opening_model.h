// SPDX-License-Identifier: GPL-3.0-or-later
// Who played, by the opening alone: how often each player chose each move of the first plies. What
// recognition by style is compared with.
#pragma once

#include "data/player_moves/player_moves.h"

enum { OPENING_PLIES = 20 };

typedef struct OpeningModel OpeningModel;

OpeningModel *opening_model_create(size_t players);
void opening_model_destroy(OpeningModel *model);
// Learns the player's choices; all games come before opening_model_finish.
void opening_model_add(OpeningModel *model, const PlayerGame *game);
void opening_model_finish(OpeningModel *model);
// Adds to each player's score the logarithm of how likely these choices are for him; a move that a
// player never had to choose is as likely as for all of them together.
void opening_model_score(const OpeningModel *model, const PlayerGame *game, double *scores);
