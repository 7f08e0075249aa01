// SPDX-License-Identifier: GPL-3.0-or-later
// How leaves are laid out: for leaves_find.c, which writes them, and leaves.c, which reads them.
#pragma once

#include "fitness/moves/leaves.h"

// A position is a word, the number of its moves, and leaves: its base, itself, and those of its
// moves, the played one's first. A leaf is a header (a LeafKind, how many groups of differences
// there are, its shares of middlegame and endgame), and for each group LEAF_GROUP numbers of
// counts, then by how much each of these differs; the last group is filled up with differences of
// 0, so that fewer loops end where the processor does not expect it. Leaves are measured from the
// base, which has of each count what most moves have, and that from nothing. What all moves have in
// common decides nothing, so that the base is empty, but for tapered families, whose leaves have
// different shares of it.
enum { LEAF_HEADER = 4, LEAF_GROUP = 4, LEAF_CHUNK = 256 }; // positions of a chunk

typedef enum LeafKind { LEAF_SCORE, LEAF_WON, LEAF_LOST } LeafKind;

typedef struct LeafChunk {
    int16_t *words; // owned
    size_t count, capacity, positions;
    LeavesTotals totals;
} LeafChunk;

struct Leaves {
    LeafChunk *chunks;
    size_t chunk_count, terms;
    size_t parts; // of steps, at least one
    bool is_tapered;
    double scale; // of scores: what makes a point
    LeavesTotals totals;
};

static inline const int16_t *leaf_end(const int16_t *leaf) {
    return leaf + LEAF_HEADER + 2 * LEAF_GROUP * leaf[1];
}
