// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/selection.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const selection_names[] = {"proportional", "rank", "half", NULL};
const char *const scaling_names[] = {"shift", "sigma",  "inverse", "inverse-square",
                                     "raw",   "square", NULL};

static Status check_signs(Scaling scaling, const int64_t *scores, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((scaling == SCALING_INVERSE || scaling == SCALING_INVERSE_SQUARE) && scores[i] > 0)
            return error_set(ERR_ARG,
                             "scaling %s takes errors with a minus sign, not a score of %lld",
                             scaling_names[scaling], (long long)scores[i]);
        if ((scaling == SCALING_RAW || scaling == SCALING_SQUARE) && scores[i] < 0)
            return error_set(ERR_ARG, "scaling %s takes no negative score such as %lld",
                             scaling_names[scaling], (long long)scores[i]);
    }
    return OK;
}

// What counts as nothing, for the scalings that measure from somewhere.
static double zero_of(Scaling scaling, const int64_t *scores, size_t count) {
    double worst = (double)scores[0], mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double score = (double)scores[i];
        worst = score < worst ? score : worst;
        mean += score / (double)count;
    }
    if (scaling != SCALING_SIGMA)
        return worst;
    for (size_t i = 0; i < count; i++)
        squares += ((double)scores[i] - mean) * ((double)scores[i] - mean);
    return mean - sqrt(squares / (double)count);
}

static double scaled(Scaling scaling, int64_t score, double zero) {
    double value = (double)score, error = score == 0 ? 1 : -value;
    switch (scaling) {
    case SCALING_SHIFT:
    case SCALING_SIGMA:
        return value > zero ? value - zero : 0;
    case SCALING_INVERSE:
        return 1 / error;
    case SCALING_INVERSE_SQUARE:
        return 1 / (error * error);
    case SCALING_RAW:
        return value;
    case SCALING_SQUARE:
        return value * value;
    }
    return 0;
}

Status selection_proportional(Scaling scaling, const int64_t *scores, size_t count,
                              double *shares) {
    TRY(check_signs(scaling, scores, count));
    const double zero = zero_of(scaling, scores, count);
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        shares[i] = scaled(scaling, scores[i], zero);
        total += shares[i];
    }
    for (size_t i = 0; i < count && total == 0; i++)
        shares[i] = 1;
    return OK;
}

static int compare_places(const void *a, const void *b, void *scores) {
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const int64_t *values = scores;
    if (values[i] != values[j])
        return values[i] > values[j] ? -1 : 1;
    return (i > j) - (i < j);
}

void selection_order(const int64_t *scores, size_t count, uint32_t *order) {
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, count, sizeof *order, compare_places, (void *)scores);
}

void selection_rank(double slope, const int64_t *scores, size_t count, double *shares) {
    uint32_t *order = mem_alloc(count * sizeof *order);
    selection_order(scores, count, order);
    double last = count > 1 ? (double)(count - 1) : 1;
    for (size_t place = 0; place < count; place++)
        shares[order[place]] = slope - 2 * (slope - 1) * (double)place / last;
    free(order);
}

void selection_half(const int64_t *scores, size_t count, double *shares) {
    uint32_t *order = mem_alloc(count * sizeof *order);
    selection_order(scores, count, order);
    for (size_t place = 0; place < count; place++)
        shares[order[place]] = place < (count + 1) / 2 ? 1 : 0;
    free(order);
}

void selection_wheel_build(double *shares, size_t count) {
    for (size_t i = 1; i < count; i++)
        shares[i] += shares[i - 1];
}

size_t selection_wheel_spin(const double *sums, size_t count, Rng *rng) {
    double total = sums[count - 1], at = rng_real(rng) * total;
    if (at >= total) // by rounding
        at = 0;
    // The first sum above `at`. Without branches, which would be guessed wrong half of the time.
    size_t first = 0;
    while (count > 1) {
        size_t half = count / 2;
        first += sums[first + half - 1] <= at ? half : 0;
        count -= half;
    }
    return first;
}
