// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/population.h"

#include "evolve/random.h"

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
