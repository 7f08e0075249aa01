// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/crossover.h"

#include <string.h>

const char *const crossover_names[] = {"none", "single-point", "uniform", NULL};

static size_t words_of(size_t length) {
    return (length + 63) / 64;
}

// Bits that are 1 in `mask` change places.
static void cross_word(const Pair *pair, size_t word, uint64_t mask) {
    uint64_t differing = (pair->mother[word] ^ pair->father[word]) & mask;
    pair->daughter[word] = pair->mother[word] ^ differing;
    pair->son[word] = pair->father[word] ^ differing;
}

void crossover_none(const Pair *pair, size_t length) {
    memcpy(pair->daughter, pair->mother, words_of(length) * sizeof *pair->mother);
    memcpy(pair->son, pair->father, words_of(length) * sizeof *pair->father);
}

void crossover_single_point(const Pair *pair, size_t length, Rng *rng) {
    if (length < 2) {
        crossover_none(pair, length);
        return;
    }
    size_t cut = 1 + rng_below(rng, (uint32_t)(length - 1));
    for (size_t word = 0; word < words_of(length); word++) {
        uint64_t mask = word < cut / 64 ? 0 : word > cut / 64 ? ~0ULL : ~0ULL >> cut % 64;
        cross_word(pair, word, mask);
    }
}

void crossover_uniform(const Pair *pair, size_t length, Rng *rng) {
    for (size_t word = 0; word < words_of(length); word++)
        cross_word(pair, word, rng_u64(rng));
}

void crossover_pair(Crossover kind, double rate, const Pair *pair, size_t length, Rng *rng) {
    if (kind == CROSSOVER_NONE || rng_real(rng) >= rate)
        crossover_none(pair, length);
    else if (kind == CROSSOVER_SINGLE_POINT)
        crossover_single_point(pair, length, rng);
    else
        crossover_uniform(pair, length, rng);
}
