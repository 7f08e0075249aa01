// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/surrogate.h"

#include "base/mem.h"
#include "fitness/adam.h"

#include <stdlib.h>

static const double first_rate = 0.003; // of Adam

Status surrogate_descend(const SlopeSource *source, const SurrogateConfig *config, DistPool *pool,
                         double *coefficients) {
    Adam adam;
    Slope slope = {.gradient = mem_alloc_zero(source->terms, sizeof *slope.gradient)};
    Status status = OK;
    adam_init(&adam, source->terms, config->low, config->high);
    for (unsigned number = 1; number <= config->steps && status == OK; number++) {
        status = source->at(source->self, coefficients, config->kind, pool, &slope);
        if (status == OK)
            adam_step(&adam, slope.gradient, adam_rate(first_rate, number, config->steps),
                      coefficients);
    }
    adam_free(&adam);
    free(slope.gradient);
    return status;
}
