// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/surrogate.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

// Adam's usual constants; a step is a share of the coefficient's box, and shrinks to nothing in the
// second half.
static const double slope_memory = 0.9, square_memory = 0.99, first_step = 0.003, tiny = 1e-12;

typedef struct Adam {
    double *gradient, *slopes, *squares;
} Adam;

static void step(const SurrogateConfig *config, const Adam *adam, unsigned number, size_t terms,
                 double *coefficients) {
    const double left = 2 * (1 - (double)number / config->steps);
    const double rate = first_step * (left < 1 ? left : 1);
    const double slope_share = 1 - pow(slope_memory, number);
    const double square_share = 1 - pow(square_memory, number);
    for (size_t i = 0; i < terms; i++) {
        const double slope = adam->gradient[i], size = config->high[i] - config->low[i];
        adam->slopes[i] = slope_memory * adam->slopes[i] + (1 - slope_memory) * slope;
        adam->squares[i] = square_memory * adam->squares[i] + (1 - square_memory) * slope * slope;
        const double mean = adam->slopes[i] / slope_share;
        const double spread = sqrt(adam->squares[i] / square_share) + tiny;
        const double value = coefficients[i] - rate * size * mean / spread;
        coefficients[i] = fmin(fmax(value, config->low[i]), config->high[i]);
    }
}

Status surrogate_descend(const SlopeSource *source, const SurrogateConfig *config, DistPool *pool,
                         double *coefficients) {
    const size_t terms = source->terms;
    double *memory = mem_alloc_zero(3 * terms, sizeof *memory);
    const Adam adam = {memory, memory + terms, memory + 2 * terms};
    Status status = OK;
    for (unsigned number = 1; number <= config->steps && status == OK; number++) {
        Slope slope = {.gradient = adam.gradient};
        status = source->at(source->self, coefficients, config->kind, pool, &slope);
        if (status == OK)
            step(config, &adam, number, terms, coefficients);
    }
    free(memory);
    return status;
}
