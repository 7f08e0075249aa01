// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rank_test.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_MOST = 50 };

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// --- the exact distribution ---

// How many of the ways to choose `first` of all ranks give each u, over the number of all ways.
// Ranks are offered one by one; sums of few numbers and all of them positive lose no digits.
static double *u_chances(size_t first, size_t second) {
    const size_t width = first * second + 1, all = first + second;
    double *ways = mem_alloc_zero((first + 1) * width, sizeof *ways);
    ways[0] = 1;
    for (size_t rank = 1; rank <= all; rank++)
        for (size_t chosen = rank < first ? rank : first; chosen > 0; chosen--) {
            // The chosen-th of the first sample has rank - chosen values of the second below it.
            const size_t gain = rank - chosen;
            for (size_t u = gain; u < width; u++)
                ways[chosen * width + u] += ways[(chosen - 1) * width + u - gain];
        }
    double total = 0, *chances = mem_alloc(width * sizeof *chances);
    memcpy(chances, ways + first * width, width * sizeof *chances);
    for (size_t u = 0; u < width; u++)
        total += chances[u];
    for (size_t u = 0; u < width; u++)
        chances[u] /= total;
    free(ways);
    return chances;
}

static double exact_p(double u, size_t first, size_t second) {
    CLEANUP(mem_free_at) double *chances = u_chances(first, second);
    const size_t most = first * second, found = (size_t)u;
    const size_t tail = found < most - found ? found : most - found; // it is symmetric
    double sum = 0;
    for (size_t i = 0; i <= tail; i++)
        sum += chances[i];
    return fmin(1, 2 * sum);
}

double rank_test_least_p(size_t first_count, size_t second_count) {
    const double n = (double)(first_count + second_count), k = (double)first_count;
    return fmin(1, 2 * exp(lgamma(k + 1) + lgamma(n - k + 1) - lgamma(n + 1)));
}

// --- many values, or equal ones ---

// The sum of t^3 - t over all groups of t equal values; 0 where no two are equal.
static double tie_sum(const double *first, size_t first_count, const double *second,
                      size_t second_count) {
    const size_t count = first_count + second_count;
    CLEANUP(mem_free_at) double *all = mem_alloc((count + 1) * sizeof *all);
    double sum = 0;
    memcpy(all, first, first_count * sizeof *all);
    memcpy(all + first_count, second, second_count * sizeof *all);
    qsort(all, count, sizeof *all, by_value);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && all[i + same] == all[i];)
            same++;
        sum += pow((double)same, 3) - (double)same;
    }
    return sum;
}

static double normal_p(double u, double first, double second, double ties) {
    const double all = first + second;
    const double variance = first * second / 12 * (all + 1 - ties / (all * (all - 1)));
    const double off = fabs(u - first * second / 2) - 0.5;
    return variance <= 0 || off <= 0 ? 1 : fmin(1, erfc(off / sqrt(2 * variance)));
}

// --- together ---

static double count_u(const double *first, size_t first_count, const double *second,
                      size_t second_count) {
    double u = 0;
    for (size_t i = 0; i < first_count; i++)
        for (size_t k = 0; k < second_count; k++)
            u += first[i] > second[k] ? 1 : first[i] == second[k] ? 0.5 : 0;
    return u;
}

RankTest rank_test(const double *first, size_t first_count, const double *second,
                   size_t second_count) {
    RankTest test = {.p = 1, .superior = 0.5};
    if (first_count == 0 || second_count == 0)
        return test;
    const double ties = tie_sum(first, first_count, second, second_count);
    test.u = count_u(first, first_count, second, second_count);
    test.superior = test.u / ((double)first_count * (double)second_count);
    test.delta = 2 * test.superior - 1;
    test.is_exact = ties == 0 && first_count <= EXACT_MOST && second_count <= EXACT_MOST;
    test.p = test.is_exact ? exact_p(test.u, first_count, second_count)
                           : normal_p(test.u, (double)first_count, (double)second_count, ties);
    return test;
}

double rank_quantile(double *values, size_t count, double share) {
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, by_value);
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
    return values[below] + (place - (double)below) * (values[above] - values[below]);
}

// The place of the least p that is not done yet.
static size_t least_left(const double *p, const bool *done, size_t count) {
    size_t least = count;
    for (size_t i = 0; i < count; i++)
        if (!done[i] && (least == count || p[i] < p[least]))
            least = i;
    return least;
}

void rank_adjust_holm(double *p, size_t count) {
    CLEANUP(mem_free_at) bool *done = mem_alloc_zero(count + 1, sizeof *done);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = least_left(p, done, count);
        most = fmax(most, fmin(1, (double)(count - i) * p[at]));
        p[at] = most;
        done[at] = true;
    }
}
