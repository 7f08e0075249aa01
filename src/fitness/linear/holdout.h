// SPDX-License-Identifier: GPL-3.0-or-later
// Which positions are not learned from, but kept to choose by.
#pragma once

#include "base/rng.h"
#include "chess/position.h"

typedef struct Holdout {
    double share; // of the positions
    uint64_t seed;
} Holdout;

enum { USE_HOLDOUT = 0x686F6C64 }; // keeps these draws apart from others

// What has the same key is taken or not wherever it stands, so that equal positions never part.
static inline bool holdout_takes_key(const Holdout *holdout, uint64_t key) {
    Rng rng = rng_at(holdout->seed, (uint32_t)key, (uint32_t)(key >> 32), USE_HOLDOUT);
    return rng_real(&rng) < holdout->share;
}
static inline bool holdout_takes(const Holdout *holdout, const Position *pos) {
    return holdout_takes_key(holdout, pos->key);
}
