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

// A position is taken or not wherever it stands, so that equal ones never part.
static inline bool holdout_takes(const Holdout *holdout, const Position *pos) {
    Rng rng = rng_at(holdout->seed, (uint32_t)pos->key, (uint32_t)(pos->key >> 32), USE_HOLDOUT);
    return rng_real(&rng) < holdout->share;
}
