// SPDX-License-Identifier: GPL-3.0-or-later
// Positions whose score is linear in coefficients, and the score each should have: laid out so that
// vector instructions go through one count of many positions. Whoever can say what a position
// holds of each count can fill one.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Positions of a tile, tiles and positions of a block.
enum { LINEAR_LANES = 64, LINEAR_TILES = 16, LINEAR_BLOCK = LINEAR_LANES * LINEAR_TILES };

// Of each tile, the numbers of its first count, then those of the second, and so on. Places beyond
// the last position are 0 and weigh nothing.
typedef struct LinearBlock {
    bool is_wide; // some count needs 16 bits, and all of this block have them; else they have 8
    void *cells;
    uint64_t
        *present; // of each tile, a bit for each count: false where none of its positions has it
    _Alignas(LINEAR_LANES) float middlegame[LINEAR_BLOCK];
    float endgame[LINEAR_BLOCK]; // shares of both; the endgame's are 0 if untapered
    float targets[LINEAR_BLOCK], weights[LINEAR_BLOCK];
    float offsets[LINEAR_BLOCK];
} LinearBlock;

typedef struct LinearSet {
    size_t counts;   // of a position
    bool is_tapered; // coefficients 2 i and 2 i + 1 are those of count i in middlegame and endgame
    size_t count;    // of positions
    double weight;   // of all positions together
    LinearBlock **blocks;
    size_t block_count, block_capacity;
} LinearSet;

// One position. Its score is the middlegame's share times the sum of its counts with the
// middlegame's coefficients, and the same of the endgame, and the offset, which none changes.
typedef struct LinearRow {
    const int16_t *counts;
    float middlegame, endgame, target, weight, offset;
    const uint16_t *where; // the counts that may be other than 0; NULL: all
    size_t where_count;
} LinearRow;

void linear_set_init(LinearSet *set, size_t counts, bool is_tapered);
void linear_set_free(LinearSet *set);
// ERR_LIMIT when there is no memory for it.
MUST_CHECK Status linear_set_add(LinearSet *set, const LinearRow *row);
// How many coefficients there are, and bytes that the positions take.
size_t linear_set_coefficients(const LinearSet *set);
size_t linear_set_bytes(const LinearSet *set);
// Numbers that have a bit for each count.
static inline size_t linear_set_words(const LinearSet *set) {
    return (set->counts + 63) / 64;
}

int linear_set_count(const LinearSet *set, size_t position, size_t count);
float linear_set_target(const LinearSet *set, size_t position);
void linear_set_retarget(LinearSet *set, size_t position, float target);
