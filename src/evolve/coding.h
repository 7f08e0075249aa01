// SPDX-License-Identifier: GPL-3.0-or-later
// Bit strings and the parameters they stand for. Genes lie in the order of the parameters, the
// highest bit of each first; bit i of a string is bit 63 - i % 64 of word i / 64, so that a gene
// reads as a number as it lies. Bits beyond the length are 0.
#pragma once

#include "evolve/space.h"

typedef struct BitGene {
    uint32_t at, bits;
    double low, high, step;
} BitGene;

// Where each gene lies and what it counts.
typedef struct BitCode {
    BitGene *genes;
    size_t count, length, words;
    bool is_gray;
} BitCode;

// The code of a space that was checked and has a coding of bits.
BitCode coding_create(const EvolveSpace *space);
void coding_free(BitCode *code);

void coding_decode(const BitCode *code, const uint64_t *bits, double *parameters);
// The string whose parameters are nearest to the ones given.
void coding_encode(const BitCode *code, const double *parameters, uint64_t *bits);
// Draws every bit by a fair coin.
void coding_randomize(const BitCode *code, Rng *rng, uint64_t *bits);

uint32_t coding_to_gray(uint32_t number);
uint32_t coding_from_gray(uint32_t gray);
