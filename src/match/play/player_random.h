// SPDX-License-Identifier: GPL-3.0-or-later
// A player that draws its moves: the lowest rung of every ladder. What it plays depends on its seed
// and on the game so far, so that games are the same again whatever was played before them.
#pragma once

#include "match/play/player.h"

// What weights= says in place of a file.
#define PLAYER_RANDOM "random"

// `cancel_fd` ends the match when it becomes readable; -1: none. `name` is borrowed; close with
// ops->close(self).
Player player_random_create(uint64_t seed, int cancel_fd, const char *name);
