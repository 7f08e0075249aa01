// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below strength: what an Elo is in nodes and in noise.
#pragma once

#include <stdint.h>

typedef struct Level {
    uint64_t nodes; // of a move, at most
    int noise_cp;   // standard deviation of what is added to the scores of moves
} Level;

// The Elo that levels reach.
enum {
#define LEVEL(elo, nodes, noise_cp)
#define LEVEL_FIRST(elo, nodes, noise_cp) LEVEL_ELO_LEAST = (elo),
#define LEVEL_LAST(elo, nodes, noise_cp)  LEVEL_ELO_MOST = (elo),
#include "uci/levels.def"
#undef LEVEL
#undef LEVEL_FIRST
#undef LEVEL_LAST
    LEVEL_SKILL_MAX = 20, // full strength
};

// The level of an Elo; those out of reach get the nearest there is.
Level level_of_elo(int64_t elo);
// The level of a skill below LEVEL_SKILL_MAX: equal steps of Elo, 0 the weakest.
Level level_of_skill(int64_t skill);
