// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/mentor.h"

#include "base/mem.h"
#include "fitness/linear/mentor_kernel.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A job is this much of the product: small enough to stay in the nearest cache, large enough to be
// worth handing out.
enum { JOB_ORGANISMS = 16 * MENTOR_GROUP, JOB_BLOCKS = MENTOR_CHUNK_BLOCKS };

typedef struct Product {
    const CountMatrix *matrix;
    const int32_t *coefficients;
    const int16_t *narrow; // the same in 16 bits, padded to pairs; NULL when they do not fit
    size_t organisms, organism_jobs;
    _Atomic int64_t *sums;
} Product;

static Status run_job(void *context, size_t index, int worker) {
    (void)worker;
    const Product *product = context;
    const CountMatrix *matrix = product->matrix;
    const size_t o = index % product->organism_jobs * JOB_ORGANISMS;
    const size_t first = index / product->organism_jobs * JOB_BLOCKS;
    const size_t blocks = counts_blocks(matrix);
    const size_t last = first + JOB_BLOCKS < blocks ? first + JOB_BLOCKS : blocks;
    const size_t left = product->organisms - o;
    const size_t here = left < JOB_ORGANISMS ? left : JOB_ORGANISMS;
    int64_t sums[JOB_ORGANISMS] = {0};
    if (product->narrow != NULL)
        mentor_kernel_add(matrix, first, last, product->narrow + o * matrix->pairs * 2, here, sums);
    else
        mentor_plain_add(matrix, first, last, product->coefficients + o * matrix->terms, here,
                         sums);
    // Sums of integers are the same in any order.
    for (size_t i = 0; i < here; i++)
        atomic_fetch_add_explicit(&product->sums[o + i], sums[i], memory_order_relaxed);
    return OK;
}

// The largest coefficient of each term, whatever its sign.
static void find_largest(const CountMatrix *matrix, const int32_t *coefficients, size_t organisms,
                         int64_t *largest) {
    for (size_t o = 0; o < organisms; o++)
        for (size_t term = 0; term < matrix->terms; term++) {
            const int64_t value = coefficients[o * matrix->terms + term];
            const int64_t absolute = value < 0 ? -value : value;
            largest[term] = absolute > largest[term] ? absolute : largest[term];
        }
}

// The furthest a score of these coefficients, all with the worst signs, can be in a position that
// is there. Families of many terms have few of them in one position.
static int64_t furthest_score(const CountMatrix *matrix, const int64_t *largest) {
    int64_t furthest = 0;
    for (size_t i = 0; i < matrix->count; i++) {
        int64_t score = 0;
        for (size_t term = 0; term < matrix->terms; term++)
            score += largest[term] * abs(counts_at(matrix, i, term));
        furthest = score > furthest ? score : furthest;
    }
    return furthest;
}

// True when nothing can overflow the kernel's table or lanes: the largest counts meet the largest
// coefficients, all with the same sign, in every position of a chunk.
static bool fits_lanes(const CountMatrix *matrix, const int32_t *coefficients, size_t organisms) {
    const int64_t limit = INT32_MAX / (MENTOR_CHUNK_BLOCKS * 2) - matrix->largest_label;
    int64_t *largest = mem_alloc_zero(matrix->terms, sizeof *largest), reach = 0;
    bool fits = matrix->pairs <= MENTOR_PAIRS_MAX;
    find_largest(matrix, coefficients, organisms, largest);
    for (size_t term = 0; term < matrix->terms; term++) {
        fits = fits && largest[term] <= INT16_MAX;
        reach += largest[term] * matrix->largest[term];
    }
    // Terms need not all be largest in one position: a closer look, where it takes one.
    if (fits && reach > limit)
        fits = furthest_score(matrix, largest) <= limit;
    free(largest);
    return fits;
}

static int16_t *narrow_coefficients(const CountMatrix *matrix, const int32_t *coefficients,
                                    size_t organisms) {
    int16_t *narrow = mem_alloc_zero(organisms * matrix->pairs * 2, sizeof *narrow);
    for (size_t o = 0; o < organisms; o++)
        for (size_t term = 0; term < matrix->terms; term++)
            narrow[o * matrix->pairs * 2 + term] = (int16_t)coefficients[o * matrix->terms + term];
    return narrow;
}

Status mentor_errors(const CountMatrix *matrix, const int32_t *coefficients, size_t organisms,
                     DistPool *pool, int64_t *out) {
    assert(counts_are_valid(matrix));
    CLEANUP(mem_free_at)
    int16_t *narrow = fits_lanes(matrix, coefficients, organisms)
                          ? narrow_coefficients(matrix, coefficients, organisms)
                          : NULL;
    CLEANUP(mem_free_at)
    _Atomic int64_t *sums = mem_alloc_zero(organisms + 1, sizeof *sums);
    Product product = {.matrix = matrix,
                       .coefficients = coefficients,
                       .narrow = narrow,
                       .organisms = organisms,
                       .organism_jobs = (organisms + JOB_ORGANISMS - 1) / JOB_ORGANISMS,
                       .sums = sums};
    const size_t block_jobs = (counts_blocks(matrix) + JOB_BLOCKS - 1) / JOB_BLOCKS;
    TRY(dist_pool_run(pool, product.organism_jobs * block_jobs, run_job, &product));
    for (size_t o = 0; o < organisms; o++)
        out[o] = sums[o];
    return OK;
}

void mentor_residuals(const CountMatrix *matrix, const int32_t *coefficients, int32_t *out) {
    for (size_t i = 0; i < matrix->count; i++) {
        int32_t residual = matrix->labels[i];
        for (size_t term = 0; term < matrix->terms; term++)
            residual -= counts_at(matrix, i, term) * coefficients[term];
        out[i] = residual;
    }
}
