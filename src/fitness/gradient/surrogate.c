// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/gradient/surrogate.h"

#include "base/mem.h"
#include "fitness/gradient/adam.h"

#include <string.h>

static const double first_rate = 0.003; // of Adam

Status surrogate_descend(const SlopeSource *source, const SurrogateConfig *config, DistPool *pool,
                         double *coefficients) {
    const size_t terms = source->terms;
    CLEANUP(mem_free_at) double *start = mem_alloc(terms * sizeof *start);
    CLEANUP(mem_free_at) double *gradient = mem_alloc_zero(terms, sizeof *gradient);
    CLEANUP(adam_free) Adam adam = {0};
    const double *centre = config->centre != NULL ? config->centre : start;
    Slope slope = {.gradient = gradient};
    adam_init(&adam, terms, config->low, config->high);
    memcpy(start, coefficients, terms * sizeof *start);
    for (unsigned number = 1; number <= config->steps; number++) {
        const size_t part = (number - 1) % source->parts;
        TRY(source->at(source->self, part, coefficients, config->kind, pool, &slope));
        for (size_t i = 0; i < terms; i++)
            gradient[i] += config->pull * (coefficients[i] - centre[i]);
        adam_step(&adam, gradient, adam_rate(first_rate, number, config->steps), coefficients);
    }
    return OK;
}
