// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/gradient/surrogate.h"

#include "base/mem.h"
#include "fitness/gradient/adam.h"

#include <stdlib.h>
#include <string.h>

static const double first_rate = 0.003; // of Adam

Status surrogate_descend(const SlopeSource *source, const SurrogateConfig *config, DistPool *pool,
                         double *coefficients) {
    const size_t terms = source->terms;
    double *start = mem_alloc(terms * sizeof *start);
    const double *centre = config->centre != NULL ? config->centre : start;
    Adam adam;
    Slope slope = {.gradient = mem_alloc_zero(terms, sizeof *slope.gradient)};
    Status status = OK;
    memcpy(start, coefficients, terms * sizeof *start);
    adam_init(&adam, terms, config->low, config->high);
    for (unsigned number = 1; number <= config->steps && status == OK; number++) {
        status = source->at(source->self, coefficients, config->kind, pool, &slope);
        for (size_t i = 0; i < terms; i++)
            slope.gradient[i] += config->pull * (coefficients[i] - centre[i]);
        if (status == OK)
            adam_step(&adam, slope.gradient, adam_rate(first_rate, number, config->steps),
                      coefficients);
    }
    adam_free(&adam);
    free(slope.gradient);
    free(start);
    return status;
}
