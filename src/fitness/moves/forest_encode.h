// SPDX-License-Identifier: GPL-3.0-or-later
// How a node of the forest becomes bytes: see forest_internal.h.
#pragma once

#include "fitness/moves/forest_internal.h"

enum { FOREST_DIGITS_MOST = 16 }; // of a difference

// What a node is made of.
typedef struct ForestSketch {
    unsigned flags; // but FLAG_LONG
    Move move;
    Taper taper;
    const int16_t *above, *row; // the counts of the node above, and its own
} ForestSketch;

// The most bytes that a node can take.
static inline size_t forest_node_most(size_t counts) {
    return 32 + counts * FOREST_DIGITS_MOST * sizeof(uint16_t);
}

// Writes a node to `out`, which has room, and returns its end. Adds to `differences`.
uint8_t *forest_encode(const Forest *forest, const ForestSketch *sketch, uint8_t *out,
                       uint64_t *differences);
// Adds a node's differences to a row of counts.
void forest_decode(const Forest *forest, const ForestNode *node, int16_t *row);
