// SPDX-License-Identifier: GPL-3.0-or-later
// Crossover of two bit strings into two others. Strings must not overlap.
#pragma once

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

typedef enum Crossover { CROSSOVER_NONE, CROSSOVER_SINGLE_POINT, CROSSOVER_UNIFORM } Crossover;

// Names in the order of the enum, NULL at the end.
extern const char *const crossover_names[];

// One string taken from `mother` and `father`, the other from what is left of them.
typedef struct Pair {
    const uint64_t *mother, *father;
    uint64_t *daughter, *son;
} Pair;

void crossover_none(const Pair *pair, size_t length);
// The strings change places from a bit drawn uniformly from 1 to length - 1 on.
void crossover_single_point(const Pair *pair, size_t length, Rng *rng);
// Each bit changes places by a fair coin.
void crossover_uniform(const Pair *pair, size_t length, Rng *rng);
// With probability `rate` that kind, otherwise none.
void crossover_pair(Crossover kind, double rate, const Pair *pair, size_t length, Rng *rng);
