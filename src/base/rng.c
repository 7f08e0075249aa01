// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include <string.h>

// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (SC 2011): ten rounds of two multiplications.
enum { ROUNDS = 10 };
static const uint32_t FACTORS[2] = {0xD2511F53, 0xCD9E8D57};
static const uint32_t KEY_STEPS[2] = {0x9E3779B9, 0xBB67AE85};

Rng rng_at(uint64_t seed, uint32_t a, uint32_t b, uint32_t c) {
    return (Rng){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}, .counter = {0, a, b, c}};
}

static void mix(uint32_t block[4], const uint32_t key[2]) {
    const uint64_t first = (uint64_t)FACTORS[0] * block[0];
    const uint64_t second = (uint64_t)FACTORS[1] * block[2];
    block[0] = (uint32_t)(second >> 32) ^ block[1] ^ key[0];
    block[1] = (uint32_t)second;
    block[2] = (uint32_t)(first >> 32) ^ block[3] ^ key[1];
    block[3] = (uint32_t)first;
}

static void refill(Rng *rng) {
    uint32_t key[2] = {rng->key[0], rng->key[1]};
    memcpy(rng->block, rng->counter, sizeof rng->block);
    for (int i = 0; i < ROUNDS; i++) {
        mix(rng->block, key);
        key[0] += KEY_STEPS[0];
        key[1] += KEY_STEPS[1];
    }
    rng->counter[0]++;
    rng->left = 4;
}

uint32_t rng_u32(Rng *rng) {
    if (rng->left == 0)
        refill(rng);
    return rng->block[--rng->left];
}

uint64_t rng_u64(Rng *rng) {
    uint64_t high = rng_u32(rng);
    return high << 32 | rng_u32(rng);
}

uint32_t rng_below(Rng *rng, uint32_t bound) {
    // Lemire's multiply-and-reject.
    uint64_t product = (uint64_t)rng_u32(rng) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)rng_u32(rng) * bound;
    }
    return (uint32_t)(product >> 32);
}

double rng_real(Rng *rng) {
    return (double)(rng_u64(rng) >> 11) * 0x1p-53;
}
