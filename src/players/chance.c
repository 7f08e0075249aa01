// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/chance.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

static double flipped_sum(const double *differences, size_t count, Rng *rng) {
    double sum = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++, bits >>= 1) {
        if (i % 32 == 0)
            bits = rng_u32(rng);
        sum += (bits & 1) != 0 ? differences[i] : -differences[i];
    }
    return sum;
}

double chance_of_signs(const double *differences, size_t count, uint64_t seed) {
    double sum = 0, size = 0;
    unsigned as_far = 1; // the one that was found
    for (size_t i = 0; i < count; i++) {
        sum += differences[i];
        size += fabs(differences[i]);
    }
    // Sums of the same numbers in another order may differ in their last digits.
    const double bar = fabs(sum) - 1e-9 * size;
    for (uint32_t i = 0; i < CHANCE_FLIPS; i++) {
        Rng rng = rng_at(seed, i, 0, 0);
        as_far += fabs(flipped_sum(differences, count, &rng)) >= bar;
    }
    return (double)as_far / (CHANCE_FLIPS + 1);
}

double chance_of_normal(double value) {
    return erfc(fabs(value) / sqrt(2));
}

// The finite series for even degrees of freedom (Abramowitz and Stegun 26.7.4).
double chance_of_student(double value, unsigned even_degrees) {
    const double angle = atan(fabs(value) / sqrt(even_degrees));
    const double square = cos(angle) * cos(angle);
    double term = 1, sum = 1;
    for (unsigned i = 2; i < even_degrees; i += 2) {
        term *= square * (i - 1) / i;
        sum += term;
    }
    const double rest = 1 - sin(angle) * sum;
    return rest > 0 ? rest : 0;
}

typedef struct Ranked {
    double chance;
    size_t index;
} Ranked;

static int compare_ranked(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (a->chance < b->chance || a->chance > b->chance)
        return a->chance < b->chance ? -1 : 1;
    return MEM_ORDER(a->index, b->index);
}

void chance_holm(const double *chances, size_t count, double level, bool *stands) {
    CLEANUP(mem_free_at) Ranked *ranked = mem_alloc((count + 1) * sizeof *ranked);
    bool go_on = true;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (Ranked){chances[i], i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        go_on = go_on && ranked[i].chance <= level / (double)(count - i);
        stands[ranked[i].index] = go_on;
    }
}

GroupedMean grouped_mean(const double *sums, const double *sizes, size_t groups) {
    double sum = 0, size = 0, squares = 0;
    for (size_t i = 0; i < groups; i++) {
        sum += sums[i];
        size += sizes[i];
    }
    const double mean = sum / size;
    for (size_t i = 0; i < groups; i++) {
        const double rest = sums[i] - mean * sizes[i];
        squares += rest * rest;
    }
    return (GroupedMean){mean, sqrt(squares) / size};
}
