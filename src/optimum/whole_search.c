// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/whole_search.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STARTS = 8,
    NARROW_MAX = 1 << 29, // residuals up to here, and a step beyond them, fit 32 bits
    CHUNK = 1 << 12,      // rows whose changes by a step fit 32 bits together
};

typedef struct WholeSearch {
    const Columns *columns;
    int32_t *weights;   // owned
    int64_t *residuals; // owned: labels less scores
    int32_t *narrow;    // owned: the same in 32 bits; NULL where they may not fit
    int32_t *direction; // owned: how one step changes each score
    uint32_t
        *failed; // owned: of each direction, at which number of improvements it was tried in vain
    uint32_t improved; // how often, and one
    int64_t error;
} WholeSearch;

static int64_t error_after(const WholeSearch *search, int64_t steps) {
    int64_t error = 0;
    for (size_t i = 0; i < search->columns->rows; i++)
        error += columns_share(search->columns, i) *
                 llabs(search->residuals[i] - steps * search->direction[i]);
    return error;
}

// Where one step leads: the counts of a weight, and `sign` times those of another (0: alone).
typedef struct Direction {
    const int16_t *first, *second;
    int32_t sign;
    size_t which; // its number
} Direction;

static void set_direction(WholeSearch *search, const Direction *direction) {
    for (size_t i = 0; i < search->columns->rows; i++)
        search->direction[i] = direction->first[i] + direction->sign * direction->second[i];
}

// Whether a step up, or else one down, lowers the error: 1, -1, or 0 where neither does.
static int64_t better_side(const WholeSearch *search, int64_t least, int64_t most) {
    return most > 0 && error_after(search, 1) < search->error     ? 1
           : least < 0 && error_after(search, -1) < search->error ? -1
                                                                  : 0;
}

// The same where every row counts once and residuals fit 32 bits, in one pass.
static int64_t better_side_narrow(const WholeSearch *search, const Direction *direction,
                                  int64_t least, int64_t most) {
    const size_t rows = search->columns->rows;
    const int16_t *first = direction->first, *second = direction->second;
    const int32_t sign = direction->sign, *residuals = search->narrow;
    int64_t up = 0, down = 0;
    for (size_t chunk = 0; chunk < rows; chunk += CHUNK) {
        const size_t end = rows - chunk < CHUNK ? rows : chunk + CHUNK;
        int32_t chunk_up = 0, chunk_down = 0;
        for (size_t i = chunk; i < end; i++) {
            const int32_t step = first[i] + sign * second[i], now = abs(residuals[i]);
            chunk_up += abs(residuals[i] - step) - now;
            chunk_down += abs(residuals[i] + step) - now;
        }
        up += chunk_up;
        down += chunk_down;
    }
    return most > 0 && up < 0 ? 1 : least < 0 && down < 0 ? -1 : 0;
}

// The error is convex along a line, so that where it stops falling is its minimum.
static int64_t best_steps(WholeSearch *search, const Direction *direction, int64_t least,
                          int64_t most) {
    const bool is_narrow = search->narrow != NULL;
    if (!is_narrow)
        set_direction(search, direction);
    const int64_t sign = is_narrow ? better_side_narrow(search, direction, least, most)
                                   : better_side(search, least, most);
    if (sign == 0)
        return 0;
    if (is_narrow)
        set_direction(search, direction);
    int64_t from = 1, to = sign > 0 ? most : -least;
    // Most steps are short.
    for (int64_t reach = 1; reach < to; reach *= 2) {
        if (error_after(search, sign * (reach + 1)) >= error_after(search, sign * reach))
            to = reach;
        else
            from = reach + 1;
    }
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (error_after(search, sign * (middle + 1)) < error_after(search, sign * middle))
            from = middle + 1;
        else
            to = middle;
    }
    return sign * from;
}

static void set_narrow(WholeSearch *search) {
    for (size_t i = 0; search->narrow != NULL && i < search->columns->rows; i++)
        search->narrow[i] = (int32_t)search->residuals[i];
}

// What was tried in vain need not be tried again before another direction has helped.
static int64_t walk(WholeSearch *search, const Direction *direction, int64_t least, int64_t most) {
    if (search->failed[direction->which] == search->improved)
        return 0;
    const int64_t steps = best_steps(search, direction, least, most);
    if (steps == 0) {
        search->failed[direction->which] = search->improved;
        return 0;
    }
    search->error = error_after(search, steps);
    search->improved++;
    for (size_t i = 0; i < search->columns->rows; i++)
        search->residuals[i] -= steps * search->direction[i];
    set_narrow(search);
    return steps;
}

static bool improve_one(WholeSearch *search, size_t j) {
    const Columns *columns = search->columns;
    const int16_t *column = columns_at(columns, j);
    const Direction direction = {column, column, 0, (j * columns->count + j) * 2};
    const int64_t weight = search->weights[j];
    const int64_t steps =
        walk(search, &direction, columns->low[j] - weight, columns->high[j] - weight);
    search->weights[j] += (int32_t)steps;
    return steps != 0;
}

// Weight j goes up by a step while weight k goes up or down by one.
static bool improve_two(WholeSearch *search, size_t j, size_t k, int sign) {
    const Columns *columns = search->columns;
    const Direction direction = {columns_at(columns, j), columns_at(columns, k), sign,
                                 (j * columns->count + k) * 2 + (sign > 0)};
    int64_t down_j = (int64_t)columns->low[j] - search->weights[j];
    int64_t up_j = (int64_t)columns->high[j] - search->weights[j];
    int64_t down_k = (int64_t)columns->low[k] - search->weights[k];
    int64_t up_k = (int64_t)columns->high[k] - search->weights[k];
    int64_t least = sign > 0 ? down_k : -up_k, most = sign > 0 ? up_k : -down_k;
    const int64_t steps =
        walk(search, &direction, least > down_j ? least : down_j, most < up_j ? most : up_j);
    search->weights[j] += (int32_t)steps;
    search->weights[k] += (int32_t)(sign * steps);
    return steps != 0;
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
    set_narrow(search);
    search->error = error_after(search, 0);
    search->improved++;
}

static WholeSearch search_create(const Columns *columns, bool is_plain) {
    const size_t rows = columns->rows + 1, count = columns->count;
    WholeSearch search = {
        .columns = columns,
        .weights = mem_alloc_zero(count + 1, sizeof *search.weights),
        .residuals = mem_alloc_zero(rows, sizeof *search.residuals),
        .direction = mem_alloc_zero(rows, sizeof *search.direction),
        .failed = mem_alloc_zero(count * count * 2 + 1, sizeof *search.failed),
    };
    if (!is_plain && columns->shares == NULL && columns_reach(columns) <= NARROW_MAX)
        search.narrow = mem_alloc_zero(rows, sizeof *search.narrow);
    return search;
}

static void search_free(WholeSearch *search) {
    free(search->weights);
    free(search->residuals);
    free(search->narrow);
    free(search->direction);
    free(search->failed);
}

static int64_t search_all(WholeSearch *search, const double *real, uint64_t seed, int32_t *best) {
    int64_t least = INT64_MAX;
    for (uint32_t start = 0; start < STARTS; start++) {
        set_start(search, real, seed, start);
        descend(search);
        if (search->error >= least)
            continue;
        least = search->error;
        memcpy(best, search->weights, search->columns->count * sizeof *best);
    }
    return least;
}

int64_t whole_search(const Columns *columns, const double *real, uint64_t seed, int32_t *best) {
    CLEANUP(search_free) WholeSearch search = search_create(columns, false);
    return search_all(&search, real, seed, best);
}

int64_t whole_search_plain(const Columns *columns, const double *real, uint64_t seed,
                           int32_t *best) {
    CLEANUP(search_free) WholeSearch search = search_create(columns, true);
    return search_all(&search, real, seed, best);
}
