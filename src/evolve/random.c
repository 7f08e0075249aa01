// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/random.h"

#include <assert.h>
#include <math.h>

Rng evolve_rng(uint64_t seed, uint32_t run, uint32_t generation, uint32_t individual,
               unsigned use) {
    assert(run < EVOLVE_RUNS_MAX && use < 256);
    return rng_at(seed, generation, individual, run << 8 | use);
}

Rng evolve_run_rng(const EvolveRun *run, size_t individual, EvolveUse use) {
    return evolve_rng(run->seed, run->run, run->generation, (uint32_t)individual, use);
}

double random_normal(Rng *rng) {
    // Box and Muller; 1 - u is never 0. The second deviate is left, so that there is no state.
    double radius = sqrt(-2 * log(1 - rng_real(rng)));
    return radius * cos(2 * M_PI * rng_real(rng));
}
