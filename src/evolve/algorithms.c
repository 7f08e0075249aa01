// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/algorithm.h"

#include <string.h>

const EvolveAlgorithm *const evolve_algorithms[] = {
    &evolve_ga, &evolve_memetic, &evolve_halves, &evolve_de, &evolve_cmaes, &evolve_cec2001, NULL,
};

const EvolveAlgorithm *evolve_find(const char *name) {
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
        if (strcmp(evolve_algorithms[i]->name, name) == 0)
            return evolve_algorithms[i];
    return NULL;
}
