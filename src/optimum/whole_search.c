// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/whole_search.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 8 };

typedef struct WholeSearch {
    const Columns *columns;
    int32_t *weights;   // owned
    int64_t *residuals; // owned: labels less scores
    int32_t *direction; // owned: how one step changes each score
    int64_t error;
} WholeSearch;

static int64_t error_after(const WholeSearch *search, int64_t steps) {
    int64_t error = 0;
    for (size_t i = 0; i < search->columns->rows; i++)
        error += columns_share(search->columns, i) *
                 llabs(search->residuals[i] - steps * search->direction[i]);
    return error;
}

// The error is convex along a line, so that where it stops falling is its minimum.
static int64_t best_steps(const WholeSearch *search, int64_t least, int64_t most) {
    int64_t sign = most > 0 && error_after(search, 1) < search->error     ? 1
                   : least < 0 && error_after(search, -1) < search->error ? -1
                                                                          : 0;
    if (sign == 0)
        return 0;
    int64_t from = 1, to = sign > 0 ? most : -least;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (error_after(search, sign * (middle + 1)) < error_after(search, sign * middle))
            from = middle + 1;
        else
            to = middle;
    }
    return sign * from;
}

static bool walk(WholeSearch *search, int64_t least, int64_t most, int64_t *steps) {
    *steps = best_steps(search, least, most);
    if (*steps == 0)
        return false;
    search->error = error_after(search, *steps);
    for (size_t i = 0; i < search->columns->rows; i++)
        search->residuals[i] -= *steps * search->direction[i];
    return true;
}

static bool improve_one(WholeSearch *search, size_t j) {
    const Columns *columns = search->columns;
    const int16_t *column = columns_at(columns, j);
    for (size_t i = 0; i < columns->rows; i++)
        search->direction[i] = column[i];
    int64_t steps, weight = search->weights[j];
    bool improved = walk(search, columns->low[j] - weight, columns->high[j] - weight, &steps);
    search->weights[j] += (int32_t)steps;
    return improved;
}

// Weight j goes up by a step while weight k goes up or down by one.
static bool improve_two(WholeSearch *search, size_t j, size_t k, int sign) {
    const Columns *columns = search->columns;
    const int16_t *first = columns_at(columns, j), *second = columns_at(columns, k);
    for (size_t i = 0; i < columns->rows; i++)
        search->direction[i] = first[i] + sign * second[i];
    int64_t down_j = (int64_t)columns->low[j] - search->weights[j];
    int64_t up_j = (int64_t)columns->high[j] - search->weights[j];
    int64_t down_k = (int64_t)columns->low[k] - search->weights[k];
    int64_t up_k = (int64_t)columns->high[k] - search->weights[k];
    int64_t least = sign > 0 ? down_k : -up_k, most = sign > 0 ? up_k : -down_k;
    int64_t steps;
    bool improved =
        walk(search, least > down_j ? least : down_j, most < up_j ? most : up_j, &steps);
    search->weights[j] += (int32_t)steps;
    search->weights[k] += (int32_t)(sign * steps);
    return improved;
}

static void descend(WholeSearch *search) {
    size_t count = search->columns->count;
    for (bool improved = true; improved;) {
        improved = false;
        for (size_t j = 0; j < count; j++)
            improved |= improve_one(search, j);
        if (improved)
            continue;
        for (size_t j = 0; j < count; j++)
            for (size_t k = j + 1; k < count; k++) {
                improved |= improve_two(search, j, k, 1);
                improved |= improve_two(search, j, k, -1);
            }
    }
}

static int32_t within(const Columns *columns, size_t j, double value) {
    return value <= columns->low[j]    ? columns->low[j]
           : value >= columns->high[j] ? columns->high[j]
                                       : (int32_t)value;
}

// Start 0 rounds to the nearest, the last is the middle of the box, others round by chance.
static void set_start(WholeSearch *search, const double *real, uint64_t seed, uint32_t start) {
    const Columns *columns = search->columns;
    Rng rng = rng_at(seed, start, 0, 0);
    for (size_t j = 0; j < columns->count; j++) {
        double value = start == 0 ? round(real[j]) : floor(real[j] + rng_real(&rng));
        if (start == STARTS - 1)
            value = round((columns->low[j] + (double)columns->high[j]) / 2);
        search->weights[j] = within(columns, j, value);
    }
    columns_residuals(columns, search->weights, search->residuals);
    search->error = error_after(search, 0);
}

int64_t whole_search(const Columns *columns, const double *real, uint64_t seed, int32_t *best) {
    WholeSearch search = {
        .columns = columns,
        .weights = mem_alloc_zero(columns->count + 1, sizeof *search.weights),
        .residuals = mem_alloc_zero(columns->rows + 1, sizeof *search.residuals),
        .direction = mem_alloc_zero(columns->rows + 1, sizeof *search.direction),
    };
    int64_t least = INT64_MAX;
    for (uint32_t start = 0; start < STARTS; start++) {
        set_start(&search, real, seed, start);
        descend(&search);
        if (search.error >= least)
            continue;
        least = search.error;
        memcpy(best, search.weights, columns->count * sizeof *best);
    }
    free(search.weights);
    free(search.residuals);
    free(search.direction);
    return least;
}
