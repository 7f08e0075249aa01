// SPDX-License-Identifier: GPL-3.0-or-later
// How a forest lies in memory: 16-bit words, read from front to back.
//
// A position is the tree of the move that was played, then those of the other moves; or, where
// values are wanted, one tree whose first node is the position itself. A tree is a node and, behind
// it, its children's trees. A node is a header of five words (its tree's size in words, low and
// high; flags; how many differences are added, and subtracted), then its differences. A difference
// is the number of a row in the table of products: count times 8 plus the power of two it is
// multiplied by. In a forest of a tapered family the header has two words more, the position's
// shares of middlegame and endgame, each product stands for two, and counts are those of the whole
// position: what moves have in common is not left out, for shares differ.
#pragma once

#include "fitness/moves/forest.h"

enum {
    FOREST_HEADER = 5,
    FOREST_TAPERED_HEADER = 7,
    FOREST_POWERS = 8,               // a difference is a sum of 1, 2, 4 ... 128
    FOREST_CHUNK = 64,               // positions compiled together
    FOREST_BLOCK = 8,                // positions run together for one batch after the other
    FOREST_LANES = 32,               // organisms run together
    FOREST_MATE = FOREST_MATE_VALUE, // beyond every score that 16 bits are used for
    FOREST_NARROW = 31900,           // scores within this use 16 bits
    FOREST_MATE_WIDE = FOREST_MATE_WORTH,
    FOREST_LEVELS = 64,          // of nodes above each other, at the most
    FOREST_WORDS_MOST = 1 << 30, // of a chunk
};

typedef enum ForestFlag {
    FLAG_OWN = 1,      // the side that chooses the first move is to move
    FLAG_NO_STAND = 2, // it must move: it is in check
    FLAG_MATE = 4,     // the side to move is mated
    FLAG_FIRST = 8,    // a first move that is preferred to the played one where they are equal
} ForestFlag;

typedef struct ForestPlace {
    uint32_t start, end; // words of the chunk
    bool is_wide;
} ForestPlace;

typedef struct ForestChunk {
    uint16_t *words; // owned
    size_t count, capacity;
    ForestPlace places[FOREST_CHUNK];
    size_t positions;
    uint64_t moves, nodes, differences;
} ForestChunk;

struct Forest {
    ForestChunk *chunks;
    size_t chunk_count;
    size_t terms, counts; // of coefficients, and of what they are multiplied with
    bool is_tapered;
    int scale; // of the family's scores
    ForestKind kind;
    int32_t *limits;
    ForestTotals totals;
};

static inline size_t forest_tree_size(const uint16_t *node) {
    return node[0] | (size_t)node[1] << 16;
}

// Words before a node's differences.
static inline size_t forest_header(const Forest *forest) {
    return forest->is_tapered ? FOREST_TAPERED_HEADER : FOREST_HEADER;
}

// A forest of empty chunks, and its totals once they are filled; in forest.c.
Forest *forest_new(ForestKind kind, size_t positions, const ForestConfig *config);
void forest_add_totals(Forest *forest);
// Compiles one chunk; in forest_compile.c.
MUST_CHECK Status forest_compile_chunk(ForestChunk *chunk, ForestKind kind, const PlayedItem *items,
                                       size_t count, const ForestConfig *config);
// Whether the interpreter stays within the chunk's words and comes to an end; in forest_check.c.
bool forest_chunk_is_sound(const Forest *forest, const ForestChunk *chunk);
