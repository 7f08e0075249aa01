// SPDX-License-Identifier: GPL-3.0-or-later
// How a string of bits stands for a member of a family. Genes follow the order of the terms, the
// highest bit of each first; bit i of a string is bit i % 64 of word i / 64.
#pragma once

#include "base/error.h"
#include "base/rng.h"
#include "eval/family.h"

enum { CHROMOSOME_BITS_MAX = 4096, CHROMOSOME_WORDS_MAX = CHROMOSOME_BITS_MAX / 64 };

typedef enum Coding { CODING_BINARY, CODING_GRAY } Coding;

// The gene of one term: a number counted from the term's low bound, or nothing but a fixed value.
typedef struct Gene {
    unsigned bits; // 0 when the value is fixed
    int fixed;
} Gene;

typedef struct Chromosome {
    const char *name; // "maestro-230"
    const Family *family;
    Coding coding;
    const Gene *genes; // one per term
} Chromosome;

// All there are, NULL at the end. A family's first is the default; one of real numbers has none.
extern const Chromosome *const chromosomes[];
// The chromosome of that name, or NULL; the first one of a family, or NULL where it has none.
const Chromosome *chromosome_find(const char *name);
const Chromosome *chromosome_of_family(const Family *family);

// How many bits there are.
size_t chromosome_length(const Chromosome *chromosome);
// Parameters that the bits stand for. Any string of bits is a member within the family's bounds.
void chromosome_decode(const Chromosome *chromosome, const uint64_t *bits, int *parameters);
// The bits that stand for the parameters; ERR_ARG when one does not fit its gene. Bits beyond the
// length, up to a full word, are 0.
MUST_CHECK Status chromosome_encode(const Chromosome *chromosome, const int *parameters,
                                    uint64_t *bits);
// Draws every bit by a fair coin.
void chromosome_randomize(const Chromosome *chromosome, Rng *rng, uint64_t *bits);
