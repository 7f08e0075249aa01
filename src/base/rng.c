// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

// The library's headers are written for more compilers than ours and trip our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

#include <string.h>

Rng rng_at(uint64_t seed, uint32_t a, uint32_t b, uint32_t c) {
    return (Rng){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}, .counter = {0, a, b, c}};
}

static void refill(Rng *rng) {
    philox4x32_ctr_t counter;
    philox4x32_key_t key;
    memcpy(counter.v, rng->counter, sizeof counter.v);
    memcpy(key.v, rng->key, sizeof key.v);
    philox4x32_ctr_t out = philox4x32(counter, key);
    memcpy(rng->block, out.v, sizeof rng->block);
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
