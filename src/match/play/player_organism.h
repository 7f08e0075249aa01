// SPDX-License-Identifier: GPL-3.0-or-later
// An organism that plays inside this process: weights and a search, no pipe and no parsing. At
// fixed nodes or depth its moves depend on the game alone, not on threads or earlier games.
#pragma once

#include "eval/weights.h"
#include "match/play/player.h"
#include "search/features.h"

typedef struct OrganismConfig {
    const Weights *weights; // copied
    Features features;      // of the search: features_of(PROFILE_MODERN), say
    size_t hash_mb;         // 0: ORGANISM_HASH_MB
    int cancel_fd;          // thinking ends when this becomes readable; -1: none
} OrganismConfig;

// Small, so that it stays in the processor's cache and clearing it costs nothing beside a game.
enum { ORGANISM_HASH_MB = 1 };

// Nothing big is allocated before the first game. chess_init must have been called. `name` is
// borrowed; close with ops->close(self).
Player player_organism_create(const OrganismConfig *config, const char *name);
// Makes another organism of it, from the next game on: much cheaper than a new player. The weights
// are copied, and may be of another family.
void player_organism_set_weights(const Player *player, const Weights *weights);
// The same with another search.
void player_organism_set_features(const Player *player, const Features *features);
