// SPDX-License-Identifier: GPL-3.0-or-later
// What is evolved: a number of parameters in boxes, and how bits stand for them. An organism is
// always handed to evaluation as its parameters, whatever an algorithm does inside, so that every
// algorithm can be used with every fitness.
#pragma once

#include "base/error.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EVOLVE_PARAMETERS_MAX = 65536,
    EVOLVE_GENE_BITS_MAX = 31,
    EVOLVE_ORGANISM_BITS_MAX = 1 << 20,
};

typedef enum EvolveCoding { EVOLVE_BINARY, EVOLVE_GRAY, EVOLVE_REAL } EvolveCoding;

// One parameter. Where low and high are the same it is fixed: its gene has no bits.
typedef struct EvolveParameter {
    const char *name;
    double low, high;
    unsigned bits; // of its gene; of no meaning where the coding is real
} EvolveParameter;

// In a whole-number space bounds are whole, a gene counts from the low bound in steps of 1, and
// what it counts beyond the high bound stands for the high bound. In other spaces a gene divides
// the box evenly, from its low to its high bound.
typedef struct EvolveSpace {
    const EvolveParameter *parameters; // borrowed: must outlive what is made from the space
    size_t count;
    EvolveCoding coding;
    bool is_integer;
} EvolveSpace;

// ERR_ARG for bounds that are no box, or genes that cannot reach every value of theirs.
MUST_CHECK Status space_check(const EvolveSpace *space);
// The value nearest to `value` that parameter `index` can have.
double space_nearest(const EvolveSpace *space, size_t index, double value);
// Draws every parameter uniformly from its box.
void space_randomize(const EvolveSpace *space, Rng *rng, double *parameters);
// A number that differs between spaces, to tell whether saved work belongs to this one.
uint64_t space_fingerprint(const EvolveSpace *space);
