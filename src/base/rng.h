// SPDX-License-Identifier: GPL-3.0-or-later
// Counter-based random numbers: a stream is named by its key, so that who draws first, and on
// which thread, changes nothing. Seed 0 is a seed.
#pragma once

#include <stdint.h>

typedef struct Rng {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t block[4];
    unsigned left; // words of `block` not yet used
} Rng;

// The stream of `seed` for one purpose: any three numbers, such as (generation, individual, use).
Rng rng_at(uint64_t seed, uint32_t a, uint32_t b, uint32_t c);
uint32_t rng_u32(Rng *rng);
uint64_t rng_u64(Rng *rng);
// Uniform in [0, bound), without bias; bound must not be 0.
uint32_t rng_below(Rng *rng, uint32_t bound);
// Uniform in [0, 1).
double rng_real(Rng *rng);
