// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/coding.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t coding_to_gray(uint32_t number) {
    return number ^ number >> 1;
}

uint32_t coding_from_gray(uint32_t gray) {
    for (unsigned shift = 1; shift < 32; shift *= 2)
        gray ^= gray >> shift;
    return gray;
}

static double step_of(const EvolveSpace *space, const EvolveParameter *parameter) {
    if (space->is_integer || parameter->bits == 0)
        return 1;
    return (parameter->high - parameter->low) / (double)((1u << parameter->bits) - 1);
}

BitCode coding_create(const EvolveSpace *space) {
    BitCode code = {.count = space->count, .is_gray = space->coding == EVOLVE_GRAY};
    code.genes = mem_alloc(space->count * sizeof *code.genes);
    for (size_t i = 0; i < space->count; i++) {
        const EvolveParameter *parameter = &space->parameters[i];
        code.genes[i] = (BitGene){.at = (uint32_t)code.length,
                                  .bits = parameter->bits,
                                  .low = parameter->low,
                                  .high = parameter->high,
                                  .step = step_of(space, parameter)};
        code.length += parameter->bits;
    }
    code.words = (code.length + 63) / 64;
    return code;
}

void coding_free(BitCode *code) {
    free(code->genes);
    *code = (BitCode){0};
}

static uint32_t read_gene(const uint64_t *bits, const BitGene *gene) {
    size_t word = gene->at / 64, shift = gene->at % 64;
    uint64_t top = bits[word] << shift;
    if (shift + gene->bits > 64)
        top |= bits[word + 1] >> (64 - shift);
    return (uint32_t)(top >> (64 - gene->bits));
}

static void write_gene(uint64_t *bits, const BitGene *gene, uint32_t number) {
    size_t word = gene->at / 64, shift = gene->at % 64;
    uint64_t top = (uint64_t)number << (64 - gene->bits);
    bits[word] |= top >> shift;
    if (shift + gene->bits > 64)
        bits[word + 1] |= top << (64 - shift);
}

void coding_decode(const BitCode *code, const uint64_t *bits, double *parameters) {
    for (size_t i = 0; i < code->count; i++) {
        const BitGene *gene = &code->genes[i];
        if (gene->bits == 0) {
            parameters[i] = gene->low;
            continue;
        }
        uint32_t number = read_gene(bits, gene);
        if (code->is_gray)
            number = coding_from_gray(number);
        double value = gene->low + gene->step * number;
        parameters[i] = value < gene->high ? value : gene->high;
    }
}

void coding_encode(const BitCode *code, const double *parameters, uint64_t *bits) {
    memset(bits, 0, code->words * sizeof *bits);
    for (size_t i = 0; i < code->count; i++) {
        const BitGene *gene = &code->genes[i];
        if (gene->bits == 0)
            continue;
        double most = (double)((1u << gene->bits) - 1);
        double counted = floor((parameters[i] - gene->low) / gene->step + 0.5);
        uint32_t number = (uint32_t)fmin(fmax(counted, 0), most);
        write_gene(bits, gene, code->is_gray ? coding_to_gray(number) : number);
    }
}

void coding_randomize(const BitCode *code, Rng *rng, uint64_t *bits) {
    for (size_t i = 0; i < code->words; i++)
        bits[i] = rng_u64(rng);
    if (code->length % 64 != 0)
        bits[code->words - 1] &= ~0ULL << (64 - code->length % 64);
}
