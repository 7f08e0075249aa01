// SPDX-License-Identifier: GPL-3.0-or-later
// Mutation of bit strings and of real numbers.
#pragma once

#include "evolve/space.h"

// Chances that the next k bits all stay as they are, for k from 0 to a length: from them the next
// bit to flip is found with one random number instead of one per bit.
typedef struct FlipTable {
    double *untouched;
    size_t length;
} FlipTable;

// For strings of `length` bits of which each flips with probability `rate`.
FlipTable mutation_flip_table(double rate, size_t length);
void mutation_flip_table_free(FlipTable *table);
// Flips bits of a string laid out as coding.h says.
void mutation_flip(const FlipTable *table, Rng *rng, uint64_t *bits);

// Michalewicz's non-uniform mutation: a free parameter, each as likely as any other, moves towards
// one of its bounds, chosen by a fair coin, by y (1 - r^((1 - t/T)^b)), where y is the distance to
// that bound, r a random number and t/T the part of the run that is over. Uses the maths library.
void mutation_nonuniform(const EvolveSpace *space, double over, double shape, Rng *rng,
                         double *parameters);
// The same of every free parameter.
void mutation_nonuniform_all(const EvolveSpace *space, double over, double shape, Rng *rng,
                             double *parameters);

// A step drawn evenly from within `spread` times the standard deviation of the population: half of
// it to either side.
double mutation_step(double spread, double deviation, Rng *rng);
// The standard deviation of each of `width` parameters over `count` organisms.
void mutation_deviations(const double *parameters, size_t count, size_t width, double *deviations);
