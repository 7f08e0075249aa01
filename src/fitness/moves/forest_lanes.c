// SPDX-License-Identifier: GPL-3.0-or-later
// Which organisms share a batch. They are divided by the coefficient that makes their scores differ
// most, and the parts again, until a part is a batch.
#include "base/mem.h"
#include "fitness/moves/forest_internal.h"

typedef struct Keyed {
    int32_t value;
    uint32_t organism;
} Keyed;

static int compare_keyed(const void *a, const void *b) {
    const Keyed *first = a, *second = b;
    const int order = MEM_ORDER(first->value, second->value);
    return order != 0 ? order : MEM_ORDER(first->organism, second->organism);
}

// The variance of a coefficient, times how much trees depend on it.
static double spread_of(const Forest *forest, const int32_t *coefficients, size_t term,
                        const Keyed *part, size_t count) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double value = coefficients[part[i].organism * forest->terms + term];
        sum += value;
        squares += value * value;
    }
    const double usage = (double)forest->usage[forest->is_tapered ? term / 2 : term];
    return (squares - sum * sum / (double)count) * usage;
}

static void divide(const Forest *forest, const int32_t *coefficients, Keyed *part, size_t count) {
    size_t widest = 0;
    double most = -1;
    if (count <= FOREST_LANES)
        return;
    for (size_t term = 0; term < forest->terms; term++) {
        const double spread = spread_of(forest, coefficients, term, part, count);
        widest = spread > most ? term : widest;
        most = spread > most ? spread : most;
    }
    for (size_t i = 0; i < count; i++)
        part[i].value = coefficients[part[i].organism * forest->terms + widest];
    MEM_SORT(part, count, compare_keyed);
    // Only the last batch has lanes to spare.
    const size_t half = (count / 2 + FOREST_LANES - 1) / FOREST_LANES * FOREST_LANES;
    divide(forest, coefficients, part, half);
    divide(forest, coefficients, part + half, count - half);
}

uint32_t *forest_share_lanes(const Forest *forest, const int32_t *coefficients, size_t organisms) {
    CLEANUP(mem_free_at) Keyed *keyed = mem_alloc((organisms + 1) * sizeof *keyed);
    uint32_t *order = mem_alloc((organisms + 1) * sizeof *order);
    for (size_t i = 0; i < organisms; i++)
        keyed[i].organism = (uint32_t)i;
    divide(forest, coefficients, keyed, organisms);
    for (size_t i = 0; i < organisms; i++)
        order[i] = keyed[i].organism;
    return order;
}
