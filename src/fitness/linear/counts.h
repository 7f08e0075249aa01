// SPDX-License-Identifier: GPL-3.0-or-later
// What positions hold of each term, and the score each should have: a matrix of 16-bit counts, laid
// out so that a vector instruction multiplies two terms of sixteen positions at once.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNTS_LANES = 16 }; // positions of a block

// Block b holds positions 16 b and up; within it, for each pair of terms, two counts of each of its
// positions. Places beyond the last position or term are 0.
typedef struct CountMatrix {
    size_t terms, pairs; // an odd number of terms leaves half a pair empty
    size_t count, capacity;
    int16_t *cells;
    int32_t *labels;
    int32_t *largest; // per term, the largest absolute count there is
    int32_t largest_label;
} CountMatrix;

void counts_init(CountMatrix *matrix, size_t terms);
void counts_free(CountMatrix *matrix);
bool counts_are_valid(const CountMatrix *matrix);
MUST_CHECK Status counts_add(CountMatrix *matrix, const int16_t *row, int32_t label);
// Makes `out`, of as many terms, hold the given positions of `from`, in that order.
MUST_CHECK Status counts_gather(CountMatrix *out, const CountMatrix *from, const uint32_t *rows,
                                size_t count);

static inline size_t counts_blocks(const CountMatrix *matrix) {
    return (matrix->count + COUNTS_LANES - 1) / COUNTS_LANES;
}
// Where the count of a position and a term lies.
static inline size_t counts_cell(const CountMatrix *matrix, size_t position, size_t term) {
    const size_t block = position / COUNTS_LANES, lane = position % COUNTS_LANES;
    return ((block * matrix->pairs + term / 2) * COUNTS_LANES + lane) * 2 + term % 2;
}
static inline int counts_at(const CountMatrix *matrix, size_t position, size_t term) {
    return matrix->cells[counts_cell(matrix, position, term)];
}
