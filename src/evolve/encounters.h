// SPDX-License-Identifier: GPL-3.0-or-later
// Who met whom in the games of a generation, and what came of it.
#pragma once

#include "evolve/evolve.h"

// Two organisms, by their places in the generation, the lower one first.
typedef struct Encounter {
    size_t first, second;
    EvolveResult result; // as the first one sees it, of all their games
} Encounter;

// {0} is empty.
typedef struct Encounters {
    Encounter *rows; // owned: one for each game that was added since they were last summed up
    size_t count, capacity;
} Encounters;

void encounters_clear(Encounters *met);
void encounters_free(Encounters *met);
// Adds a game; `half_points` are White's.
void encounters_add(Encounters *met, size_t white, size_t black, unsigned half_points);
// Sums up: each two that met once, in their order. Borrowed.
const Encounter *encounters_sum(Encounters *met, size_t *count);
