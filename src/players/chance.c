// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/chance.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

double chance_of_normal(double value) {
    return erfc(fabs(value) / sqrt(2));
}

// The finite series of Abramowitz and Stegun, 26.7.3 for odd degrees and 26.7.4 for even ones.
double chance_of_student(double value, unsigned degrees) {
    const bool is_odd = degrees % 2 == 1;
    const double angle = atan(fabs(value) / sqrt(degrees)), cosine = cos(angle);
    double term = is_odd ? cosine : 1, sum = degrees > 1 ? term : 0;
    for (unsigned i = is_odd ? 3 : 2; i < degrees; i += 2) {
        term *= cosine * cosine * (i - 1) / i;
        sum += term;
    }
    const double inside = is_odd ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
    return inside < 1 ? 1 - inside : 0;
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

unsigned chance_degrees(double one, double other, unsigned draws) {
    const double first = one * one, second = other * other, both = first + second;
    const double squares = first * first + second * second;
    return squares > 0 ? (unsigned)((draws - 1) * both * both / squares * (1 + 1e-9)) : draws - 1;
}

double chance_of_means(const GroupedMean *one, const GroupedMean *other, size_t groups) {
    const double spread = hypot(one->deviation, other->deviation);
    const size_t degrees = groups > 4 ? (groups - 2) / 2 * 2 : 2;
    return spread > 0 ? chance_of_student((one->mean - other->mean) / spread, (unsigned)degrees)
                      : 1;
}
