// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/gradient/adam.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

// Adam's usual constants.
static const double slope_memory = 0.9, square_memory = 0.99, tiny = 1e-12;

void adam_init(Adam *adam, size_t terms, const double *low, const double *high) {
    *adam = (Adam){.terms = terms, .low = low, .high = high};
    adam->slopes = mem_alloc_zero(2 * terms + 1, sizeof *adam->slopes);
    adam->squares = adam->slopes + terms;
}

void adam_free(Adam *adam) {
    free(adam->slopes);
}

double adam_rate(double first, unsigned number, unsigned steps) {
    const double left = 2 * (1 - (double)number / steps);
    return first * (left < 1 ? left : 1);
}

void adam_step(Adam *adam, const double *gradient, double rate, double *coefficients) {
    adam->steps++;
    const double slope_share = 1 - pow(slope_memory, adam->steps);
    const double square_share = 1 - pow(square_memory, adam->steps);
    for (size_t i = 0; i < adam->terms; i++) {
        const double slope = gradient[i], size = adam->high[i] - adam->low[i];
        adam->slopes[i] = slope_memory * adam->slopes[i] + (1 - slope_memory) * slope;
        adam->squares[i] = square_memory * adam->squares[i] + (1 - square_memory) * slope * slope;
        const double mean = adam->slopes[i] / slope_share;
        const double spread = sqrt(adam->squares[i] / square_share) + tiny;
        const double value = coefficients[i] - rate * size * mean / spread;
        coefficients[i] = fmin(fmax(value, adam->low[i]), adam->high[i]);
    }
}
