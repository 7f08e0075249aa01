// SPDX-License-Identifier: GPL-3.0-or-later
// Positions for tests of the forest: of random games, each with a random legal move as the one
// played.
#pragma once

#include "base/mem.h"
#include "fitness/moves/played_set.h"
#include "testing.h"

static PlayedSet set;

static void take_position(Position *pos, Rng *rng) {
    Move moves[MOVES_MAX];
    const size_t count = movegen(pos, MOVES_ALL, moves);
    if (count < 2 || rng_below(rng, 4) != 0)
        return;
    set.items = mem_grow(set.items, &set.capacity, set.count + 1, sizeof *set.items);
    set.items[set.count++] =
        (PlayedItem){.pos = *pos, .played = moves[rng_below(rng, (uint32_t)count)]};
}
