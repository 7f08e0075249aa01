// SPDX-License-Identifier: GPL-3.0-or-later
// What algorithms have in common: memory for a population, its start, reading it back.
#include "base/mem.h"
#include "evolve/random.h"

#include <math.h>

enum { SMALL = 64 << 20 };

void population_start(const EvolveRun *run, double *parameters, size_t count) {
    size_t width = run->space->count;
    for (size_t i = 0; i < count; i++) {
        Rng rng = evolve_run_rng(run, i, USE_START);
        double *row = parameters + i * width;
        if (i >= run->start_count)
            space_randomize(run->space, &rng, row);
        else
            for (size_t j = 0; j < width; j++)
                row[j] = space_nearest(run->space, j, run->start[i * width + j]);
    }
}

bool population_is_valid(const Population *population, const EvolveSpace *space,
                         bool leaves_boxes) {
    for (size_t i = 0; i < population->count * population->width; i++) {
        const EvolveParameter *box = &space->parameters[i % population->width];
        const double value = population->rows[i];
        if (leaves_boxes ? !isfinite(value) : !(value >= box->low && value <= box->high))
            return false;
    }
    return population->width == space->count;
}

void population_load(const EvolveSpace *space, ByteReader *in, double *parameters, size_t count) {
    bytes_doubles(in, parameters, count * space->count);
    for (size_t i = 0; i < count * space->count; i++)
        if (space_nearest(space, i % space->count, parameters[i]) != parameters[i])
            in->failed = true;
}

void *population_alloc(size_t count, size_t size) {
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, size, &bytes);
    void *memory = NULL;
    if (fits)
        memory =
            bytes <= SMALL ? mem_alloc_zero(bytes == 0 ? 1 : bytes, 1) : mem_alloc_pages(bytes);
    if (memory == NULL)
        (void)error_set(ERR_LIMIT, "no memory for %zu times %zu bytes: choose a smaller population",
                        count, size);
    return memory;
}
