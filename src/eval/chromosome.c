// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/chromosome.h"

#include <assert.h>
#include <string.h>

// GECCO 2008 and GPEM 2010: the bits of the .def file.
static const Gene maestro_230[] = {
#define TERM(name, bits, low, high, start, meaning) {bits, 0},
#include "eval/maestro.def"
#undef TERM
};

// GECCO 2009: the pawn is 100, the four pieces have 11 bits, all other terms 6.
static const Gene maestro_224[] = {[0] = {0, 100}, [1 ... 4] = {11, 0}, [5 ... 34] = {6, 0}};
static_assert(sizeof maestro_224 == sizeof maestro_230, "one gene per term");

const Chromosome *const chromosomes[] = {
    &(const Chromosome){"maestro-230", &family_maestro, CODING_BINARY, maestro_230},
    &(const Chromosome){"maestro-224", &family_maestro, CODING_GRAY, maestro_224},
    NULL,
};

const Chromosome *chromosome_find(const char *name) {
    for (size_t i = 0; chromosomes[i] != NULL; i++)
        if (strcmp(chromosomes[i]->name, name) == 0)
            return chromosomes[i];
    return NULL;
}

const Chromosome *chromosome_of_family(const Family *family) {
    for (size_t i = 0; chromosomes[i] != NULL; i++)
        if (chromosomes[i]->family == family)
            return chromosomes[i];
    return NULL;
}

size_t chromosome_length(const Chromosome *chromosome) {
    size_t length = 0;
    for (size_t i = 0; i < chromosome->family->term_count; i++)
        length += chromosome->genes[i].bits;
    return length;
}

// --- codes ---

static uint32_t gray_encode(uint32_t value) {
    return value ^ value >> 1;
}

static uint32_t gray_decode(uint32_t code) {
    for (unsigned shift = 1; shift < 32; shift *= 2)
        code ^= code >> shift;
    return code;
}

static uint32_t read_bits(const uint64_t *bits, size_t at, unsigned count) {
    uint32_t code = 0;
    for (size_t i = at; i < at + count; i++)
        code = code << 1 | (uint32_t)(bits[i / 64] >> i % 64 & 1);
    return code;
}

static void write_bits(uint64_t *bits, size_t at, unsigned count, uint32_t code) {
    for (size_t i = at; i < at + count; i++) {
        uint64_t bit = code >> (at + count - 1 - i) & 1;
        bits[i / 64] |= bit << i % 64;
    }
}

void chromosome_decode(const Chromosome *chromosome, const uint64_t *bits, int *parameters) {
    size_t at = 0;
    for (size_t i = 0; i < chromosome->family->term_count; i++) {
        Gene gene = chromosome->genes[i];
        uint32_t code = read_bits(bits, at, gene.bits);
        uint32_t value = chromosome->coding == CODING_GRAY ? gray_decode(code) : code;
        int counted = chromosome->family->terms[i].low + (int)value;
        parameters[i] = gene.bits == 0 ? gene.fixed : counted;
        at += gene.bits;
    }
}

static Status check_fits(const Chromosome *chromosome, size_t index, int value) {
    Gene gene = chromosome->genes[index];
    const Term *term = &chromosome->family->terms[index];
    int low = gene.bits == 0 ? gene.fixed : term->low;
    int high = gene.bits == 0 ? gene.fixed : term->low + (int)((1u << gene.bits) - 1);
    if (value >= low && value <= high)
        return OK;
    if (gene.bits == 0)
        return error_set(ERR_ARG, "%s is fixed at %d in chromosome %s, not %d", term->name, low,
                         chromosome->name, value);
    return error_set(ERR_ARG, "%s %d does not fit chromosome %s: only %d to %d do", term->name,
                     value, chromosome->name, low, high);
}

Status chromosome_encode(const Chromosome *chromosome, const int *parameters, uint64_t *bits) {
    size_t at = 0, words = (chromosome_length(chromosome) + 63) / 64;
    memset(bits, 0, words * sizeof *bits);
    for (size_t i = 0; i < chromosome->family->term_count; i++) {
        unsigned count = chromosome->genes[i].bits;
        TRY(check_fits(chromosome, i, parameters[i]));
        uint32_t value = (uint32_t)(parameters[i] - chromosome->family->terms[i].low);
        uint32_t code = chromosome->coding == CODING_GRAY ? gray_encode(value) : value;
        if (count != 0)
            write_bits(bits, at, count, code);
        at += count;
    }
    return OK;
}

void chromosome_randomize(const Chromosome *chromosome, Rng *rng, uint64_t *bits) {
    size_t length = chromosome_length(chromosome), words = (length + 63) / 64;
    for (size_t i = 0; i < words; i++)
        bits[i] = rng_u64(rng);
    if (length % 64 != 0)
        bits[words - 1] &= (1ULL << length % 64) - 1;
}
