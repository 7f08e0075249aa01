// SPDX-License-Identifier: GPL-3.0-or-later
// How a forest lies in memory: bytes, in one array for each chunk of positions.
//
// A block is a byte that says how many nodes there are, and the nodes. The first block of a
// position has the move that was played, then the others; or, where values are wanted, one node
// that is the position itself. A node is
//   - a byte of flags,
//   - how many groups of differences it has, a byte (two with FLAG_LONG),
//   - unless it is known to have no children: the move that leads to it, and where the block of its
//     children is (0 while nobody has asked for them),
//   - in a forest of a tapered family its shares of middlegame and endgame, a byte each,
//   - its differences from the node above.
// A difference is the number, of two bytes, of a row in the table of products, which has a row for
// each power of two, each sign and each count, and a last one of zeros. Differences come in groups,
// filled up with that one: a group is added at once, and the number of groups is easier to predict
// than that of differences. In a forest of a tapered family each product stands for two, and counts
// are those of the whole position: what moves have in common is not left out, for shares differ.
//
// Places are offsets, not pointers, for the array moves as it grows.
#pragma once

#include "fitness/moves/forest.h"
#include "fitness/moves/forest_spill.h"

#include <string.h>
#include <sys/types.h>

enum {
    FOREST_POWERS = 8,               // a difference is a sum of 1, 2, 4 ... 128
    FOREST_GROUP = 4,                // differences that are added at once
    FOREST_CHUNK = 64,               // positions that share an array
    FOREST_BLOCK = 8,                // positions run together for one batch after the other
    FOREST_LANES = 32,               // organisms run together
    FOREST_MATE = FOREST_MATE_VALUE, // beyond every score that 16 bits are used for
    FOREST_NARROW = 31900,           // scores within this use 16 bits
    FOREST_MATE_WIDE = FOREST_MATE_WORTH,
    FOREST_LEVELS = 64,          // of nodes above each other, at the most
    FOREST_BYTES_MOST = 1 << 30, // of a chunk
    FOREST_UNKNOWN = 0,          // children nobody has asked for
    FOREST_EMPTY = 1,            // where a block without nodes is, for nodes without children
};

typedef enum ForestFlag {
    FLAG_NO_STAND = 1, // the side to move must move: it is in check
    FLAG_MATE = 2,     // the side to move is mated
    FLAG_FIRST = 4,    // a first move that is preferred to the played one where they are equal
    FLAG_LEAF = 8,     // there is no room for children
    FLAG_LONG = 16,    // the number of groups takes two bytes
    FLAG_WIDE = 32,    // scores may be beyond 16 bits here, and below
} ForestFlag;

typedef struct ForestPlace {
    uint32_t root;  // its first block; 0 until somebody asks
    uint32_t base;  // the counts that those of its nodes are measured from; 0: none
    uint32_t order; // the other moves, as they are tried: an offset each
    bool is_wide;   // a node that the worth of the played move depends on needs 32 bits
    bool is_beaten; // lately the first of the other moves was better for most organisms
} ForestPlace;

// Where a chunk is in the file of those that do not fit the memory.
typedef struct ForestSlot {
    off_t at;
    size_t room, length; // length: 0 while nothing was written
} ForestSlot;

struct ForestChunk {
    uint8_t *bytes; // owned; NULL where nothing has grown, or it is in its slot
    size_t count, capacity;
    ForestPlace places[FOREST_CHUNK];
    size_t positions;
    uint64_t moves, nodes, differences;
    ForestSlot slot;
};

struct Forest {
    const PlayedItem *items; // borrowed
    ForestChunk *chunks;
    size_t chunk_count;
    const Family *family;
    ForestRules rules;
    ForestOrder order;
    size_t terms, counts; // of coefficients, and of what they are multiplied with
    bool is_tapered;
    ForestKind kind;
    int32_t *limits, *guide; // owned
    uint64_t *usage;         // of each count: the squares of its differences, summed up; owned
    size_t max_bytes;
    ForestSpill *spill;            // NULL: what does not fit is forgotten; owned
    _Atomic size_t *bytes, *begun; // of all chunks in memory, and chunks that ever grew; owned
};

// A node, taken apart.
typedef struct ForestNode {
    unsigned flags;
    const uint8_t *at; // the move, where there may be children
    const uint8_t *shares;
    const uint8_t *rows, *end;
} ForestNode;

static inline ForestNode forest_node(const uint8_t *bytes, bool is_tapered) {
    ForestNode node = {.flags = bytes[0]};
    const bool is_long = node.flags & FLAG_LONG;
    const size_t groups = is_long ? (size_t)(bytes[1] | bytes[2] << 8) : bytes[1];
    node.at = bytes + (is_long ? 3 : 2);
    node.shares = node.at + (node.flags & FLAG_LEAF ? 0 : sizeof(Move) + sizeof(uint32_t));
    node.rows = node.shares + (is_tapered ? 2 : 0);
    node.end = node.rows + groups * FOREST_GROUP * sizeof(uint16_t);
    return node;
}

// Rows of the table, and what a row is: so many times a count, by its number.
static inline size_t forest_rows(const Forest *forest) {
    return 2 * FOREST_POWERS * forest->counts + 1;
}
static inline int forest_row_factor(const Forest *forest, size_t row) {
    const size_t level = row / forest->counts;
    if (level == 2 * FOREST_POWERS)
        return 0;
    return level % 2 == 0 ? 1 << level / 2 : -(1 << level / 2);
}
static_assert(2 * FOREST_POWERS * COEFFICIENTS_MAX <= UINT16_MAX, "two bytes for every row");

static inline unsigned forest_next_row(const uint8_t **at) {
    uint16_t row;
    memcpy(&row, *at, sizeof row);
    *at += sizeof row;
    return row;
}

static inline uint32_t forest_offset_at(const uint8_t *bytes) {
    uint32_t offset;
    memcpy(&offset, bytes, sizeof offset);
    return offset;
}

static inline Move forest_node_move(const ForestNode *node) {
    Move move;
    memcpy(&move, node->at, sizeof move);
    return move;
}

// The block of a node's children, FOREST_UNKNOWN where nobody has asked for it.
static inline uint32_t forest_node_children(const ForestNode *node) {
    return node->flags & FLAG_LEAF ? FOREST_EMPTY : forest_offset_at(node->at + sizeof(Move));
}

// What one thread walks through the trees of a position with, and grows them.
typedef struct ForestWalk {
    const Forest *forest;
    ForestChunk *chunk;
    const PlayedItem *item;
    ForestPlace *place;
    uint32_t path[FOREST_LEVELS];     // the node at each ply, from the first move down
    struct ForestGrower *grower;      // owned
    const void *wide;                 // the wide table, where the narrow one does not do
    uint64_t usage[COEFFICIENTS_MAX]; // as in the forest, of what this walk has grown
    Status status;                    // of the growing; trees are cut short where it fails
} ForestWalk;

void forest_walk_init(ForestWalk *walk, const Forest *forest);
void forest_walk_free(ForestWalk *walk);
// The organisms in an order in which those that choose alike come side by side, for a batch is done
// with a node when its lanes agree. Free with free().
uint32_t *forest_share_lanes(const Forest *forest, const int32_t *coefficients, size_t organisms);
// Goes to a position, which then has its first block.
void forest_walk_to(ForestWalk *walk, size_t chunk, size_t place);
// Frees the memory of a chunk, where the forest has become larger than it may be: what has grown is
// written to the file of the forest, or forgotten where it has none.
MUST_CHECK Status forest_trim(const Forest *forest, ForestChunk *chunk);
// The block of children of the node at the end of the path, which nobody has asked for before.
uint32_t forest_grow(ForestWalk *walk, unsigned ply);

// The same, whether or not somebody has.
static inline uint32_t forest_children(ForestWalk *walk, const ForestNode *node, unsigned ply) {
    const uint32_t block = forest_node_children(node);
    return block == FOREST_UNKNOWN ? forest_grow(walk, ply) : block;
}
