// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/mutation.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

FlipTable mutation_flip_table(double rate, size_t length) {
    FlipTable table = {mem_alloc((length + 1) * sizeof(double)), length};
    table.untouched[0] = 1;
    for (size_t i = 0; i < length; i++)
        table.untouched[i + 1] = table.untouched[i] * (1 - rate);
    return table;
}

void mutation_flip_table_free(FlipTable *table) {
    free(table->untouched);
    *table = (FlipTable){0};
}

// How many bits are passed over before the one that flips; `left` when none of them does.
static size_t untouched_run(const FlipTable *table, size_t left, Rng *rng) {
    double drawn = rng_real(rng);
    if (drawn < table->untouched[left])
        return left;
    size_t low = 0, high = left; // untouched[low] > drawn >= untouched[high]
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table->untouched[middle] > drawn)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void mutation_flip(const FlipTable *table, Rng *rng, uint64_t *bits) {
    for (size_t at = 0; at < table->length; at++) {
        at += untouched_run(table, table->length - at, rng);
        if (at < table->length)
            bits[at / 64] ^= 1ULL << (63 - at % 64);
    }
}

static bool is_free(const EvolveParameter *parameter) {
    return parameter->low != parameter->high;
}

static void move_towards_bound(const EvolveSpace *space, size_t i, double exponent, Rng *rng,
                               double *parameters) {
    const EvolveParameter *parameter = &space->parameters[i];
    bool upwards = rng_u32(rng) >> 31;
    double share = 1 - pow(rng_real(rng), exponent);
    double bound = upwards ? parameter->high : parameter->low;
    parameters[i] = space_nearest(space, i, parameters[i] + (bound - parameters[i]) * share);
}

void mutation_nonuniform(const EvolveSpace *space, double over, double shape, Rng *rng,
                         double *parameters) {
    size_t free_count = 0;
    for (size_t i = 0; i < space->count; i++)
        free_count += is_free(&space->parameters[i]);
    size_t left = free_count == 0 ? 0 : rng_below(rng, (uint32_t)free_count) + 1;
    for (size_t i = 0; i < space->count && left > 0; i++)
        if (is_free(&space->parameters[i]) && --left == 0)
            move_towards_bound(space, i, pow(1 - over, shape), rng, parameters);
}

void mutation_nonuniform_all(const EvolveSpace *space, double over, double shape, Rng *rng,
                             double *parameters) {
    double exponent = pow(1 - over, shape);
    for (size_t i = 0; i < space->count; i++)
        if (is_free(&space->parameters[i]))
            move_towards_bound(space, i, exponent, rng, parameters);
}

double mutation_step(double spread, double deviation, Rng *rng) {
    return (rng_real(rng) - 0.5) * spread * deviation;
}

void mutation_deviations(const double *parameters, size_t count, size_t width, double *deviations) {
    for (size_t j = 0; j < width; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < count; i++)
            sum += parameters[i * width + j];
        double mean = sum / (double)count;
        for (size_t i = 0; i < count; i++) {
            double off = parameters[i * width + j] - mean;
            squares += off * off;
        }
        deviations[j] = sqrt(squares / (double)count);
    }
}
