// SPDX-License-Identifier: GPL-3.0-or-later
// How trees come to be: the first moves of a position when it is judged first, and the children of
// a node when an organism first wants to know more than its static score.
#include "base/mem.h"
#include "chess/see.h"
#include "eval/pawn_cache.h"
#include "fitness/moves/forest_encode.h"
#include "fitness/moves/forest_plain.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LATER = 1 << 29 }; // what is taken from the order of moves that lose by static exchange

// A node that was sketched, for putting brothers in order.
typedef struct Brother {
    size_t start, length; // of its bytes
    int64_t value;        // by the guide, as the chooser sees it
    size_t number;        // in the order in which moves are generated
} Brother;

// What trees are grown with.
typedef struct ForestGrower {
    Position pos;
    int sign; // counts are those of White; +1 when White chooses
    // The counts of the node whose children are grown, as the chooser sees them, and its distance
    // from the base; then those of a child.
    int16_t above[COEFFICIENTS_MAX], distance[COEFFICIENTS_MAX], row[COEFFICIENTS_MAX];
    int64_t bound; // of the node's score less the base's, over all that the limits allow
    Brother brothers[MOVES_MAX];
    size_t count;
    uint8_t *bytes; // of the brothers
    size_t length, capacity;
    int guide[COEFFICIENTS_MAX];
    PawnCache *cache; // of the guide; may be NULL
} ForestGrower;

static bool is_own(const Forest *forest, unsigned ply) {
    return ply % 2 == (forest->kind == FOREST_VALUES ? 0 : 1);
}

static void trace_row(const Forest *forest, const ForestGrower *grower, int16_t *row) {
    Trace trace;
    family_trace(forest->family, &grower->pos, &trace);
    for (size_t i = 0; i < forest->counts; i++)
        row[i] = (int16_t)(grower->sign * trace.counts[i]);
}

// How large the score of a count can be.
static int64_t limit_of(const Forest *forest, size_t count) {
    if (!forest->is_tapered)
        return forest->limits[count];
    // The two shares never add up to more than the whole scale.
    const int32_t middlegame = forest->limits[2 * count], endgame = forest->limits[2 * count + 1];
    return (int64_t)(middlegame > endgame ? middlegame : endgame) * forest->family->scale;
}

// Scores the limits allow must fit the lanes. Returns FLAG_WIDE where 16 bits may be too few.
static unsigned check_bound(ForestWalk *walk) {
    const Forest *forest = walk->forest;
    const ForestGrower *grower = walk->grower;
    int64_t bound = grower->bound;
    for (size_t i = 0; i < forest->counts; i++) {
        const int difference = grower->row[i] - grower->above[i], before = grower->distance[i];
        if (difference == 0)
            continue;
        bound += (int64_t)(abs(before + difference) - abs(before)) * limit_of(forest, i);
        walk->usage[i] += (uint64_t)((int64_t)difference * difference);
    }
    if (bound >= FOREST_MATE_WIDE && walk->status == OK)
        walk->status =
            error_set(ERR_ARG, "scores of family %s may not fit 32 bits: narrow its bounds",
                      forest->family->name);
    return bound > FOREST_NARROW ? FLAG_WIDE : 0;
}

// By the guide's static score, as the chooser sees it.
static int64_t static_value(const Forest *forest, const ForestGrower *grower, Taper taper) {
    int64_t sums[2] = {0, 0};
    const int16_t *row = grower->row;
    if (!forest->is_tapered) {
        for (size_t i = 0; i < forest->counts; i++)
            sums[0] += (int64_t)row[i] * forest->guide[i];
        return sums[0];
    }
    for (size_t i = 0; i < 2 * forest->counts; i++)
        sums[i % 2] += (int64_t)row[i / 2] * forest->guide[i];
    return sums[0] * taper.middlegame + sums[1] * taper.endgame;
}

// What a child goes by in the order of brothers.
static int64_t order_value(const ForestWalk *walk, unsigned ply, bool must_evade,
                           const ForestStanding *standing, Taper taper) {
    const Forest *forest = walk->forest;
    const ForestGrower *grower = walk->grower;
    const bool own = is_own(forest, ply);
    if (forest->order == ORDER_SEARCHED) {
        const int value = forest_plain_worth(&grower->pos, forest->family, grower->guide,
                                             &forest->rules, grower->cache, ply, must_evade);
        return own ? value : -value;
    }
    if (standing->is_mate)
        return own ? -FOREST_MATE_WIDE : FOREST_MATE_WIDE;
    return static_value(forest, grower, taper);
}

// Adds the position as it stands, at `ply`, to the brothers.
static Brother *add_brother(ForestWalk *walk, unsigned ply, Move move, bool must_evade,
                            unsigned flags) {
    const Forest *forest = walk->forest;
    ForestGrower *grower = walk->grower;
    const ForestStanding standing = forest_standing(&grower->pos, &forest->rules, ply, must_evade);
    Taper taper = {0, 0};
    // A draw is 0 whatever the weights: no count at all.
    if (standing.is_stalemate)
        memset(grower->row, 0, forest->counts * sizeof *grower->row);
    else
        trace_row(forest, grower, grower->row);
    if (forest->is_tapered)
        taper = forest->family->taper(&grower->pos);
    flags |= check_bound(walk);
    flags |= (standing.may_stand ? 0 : FLAG_NO_STAND) | (standing.is_mate ? FLAG_MATE : 0) |
             (standing.is_leaf ? FLAG_LEAF : 0);
    grower->bytes = mem_grow(grower->bytes, &grower->capacity,
                             grower->length + forest_node_most(forest->counts), 1);
    uint8_t *start = grower->bytes + grower->length;
    const ForestSketch sketch = {flags, move, taper, grower->above, grower->row};
    const size_t length =
        (size_t)(forest_encode(forest, &sketch, start, &walk->chunk->differences) - start);
    Brother *brother = &grower->brothers[grower->count];
    *brother = (Brother){grower->length, length,
                         order_value(walk, ply, must_evade, &standing, taper), grower->count};
    grower->length += length;
    grower->count++;
    return brother;
}

// The best for the side to move first; of equals the one generated first.
static int compare_rising(const void *a, const void *b) {
    const Brother *first = a, *second = b;
    const int order = MEM_ORDER(first->value, second->value);
    return order != 0 ? order : MEM_ORDER(first->number, second->number);
}
static int compare_falling(const void *a, const void *b) {
    const Brother *first = a, *second = b;
    const int order = MEM_ORDER(second->value, first->value);
    return order != 0 ? order : MEM_ORDER(first->number, second->number);
}

// Makes room at the end of the chunk, and returns where.
static uint32_t make_room(ForestWalk *walk, size_t length) {
    ForestChunk *chunk = walk->chunk;
    if (chunk->count == 0)
        chunk->count = FOREST_EMPTY + 1;
    const size_t at = chunk->count, before = chunk->capacity;
    if (at + length > FOREST_BYTES_MOST) {
        if (walk->status == OK)
            walk->status = error_set(ERR_LIMIT,
                                     "the trees of %d positions are too large: lower "
                                     "the depth of quiescence",
                                     FOREST_CHUNK);
        return FOREST_EMPTY;
    }
    if (at + length > before) {
        // By a quarter: many chunks grow at once, and most of them not much any more.
        chunk->capacity = at + length + at / 4 + 1024;
        chunk->bytes = mem_resize(chunk->bytes, chunk->capacity);
        atomic_fetch_add(walk->forest->bytes, chunk->capacity - before);
    }
    if (before == 0) {
        memset(chunk->bytes, 0, FOREST_EMPTY + 1);
        atomic_fetch_add(walk->forest->begun, 1);
    }
    chunk->count += length;
    return (uint32_t)at;
}

// Writes the brothers as a block; returns where it is.
static uint32_t put_block(ForestWalk *walk) {
    const ForestGrower *grower = walk->grower;
    const uint32_t block = make_room(walk, 1 + grower->length);
    if (block == FOREST_EMPTY)
        return block;
    uint8_t *to = walk->chunk->bytes + block;
    *to++ = (uint8_t)grower->count;
    for (size_t i = 0; i < grower->count; i++) {
        memcpy(to, grower->bytes + grower->brothers[i].start, grower->brothers[i].length);
        to += grower->brothers[i].length;
    }
    walk->chunk->nodes += grower->count;
    return block;
}
static_assert(MOVES_MAX <= 256, "the number of nodes of a block fits a byte, for one is a move");

static void begin(ForestWalk *walk) {
    ForestGrower *grower = walk->grower;
    grower->pos = walk->item->pos;
    grower->sign = position_turn(&grower->pos) == WHITE ? 1 : -1;
    grower->count = grower->length = 0;
    grower->bound = 0;
    memset(grower->distance, 0, walk->forest->counts * sizeof *grower->distance);
    memset(grower->above, 0, walk->forest->counts * sizeof *grower->above);
}

static Brother *add_first_move(ForestWalk *walk, Move move) {
    ForestGrower *grower = walk->grower;
    const Move played = walk->item->played;
    const bool is_first = forest_move_order(move) < forest_move_order(played);
    const bool is_later = walk->forest->order == ORDER_STATIC && move != played &&
                          !see_at_least(&grower->pos, move, 0);
    Undo undo;
    position_make(&grower->pos, move, &undo);
    Brother *brother = add_brother(walk, 0, move, false, is_first ? FLAG_FIRST : 0);
    position_unmake(&grower->pos, move, &undo);
    brother->value -= is_later ? LATER : 0;
    return brother;
}

// The other moves are tried in an order of their own, which the first block is not put into.
static void put_order(ForestWalk *walk) {
    const ForestGrower *grower = walk->grower;
    const uint32_t order = make_room(walk, grower->count * sizeof order);
    uint32_t at = walk->place->root + 1;
    if (order == FOREST_EMPTY)
        return;
    walk->place->order = order;
    for (size_t i = 0; i < grower->count; i++) {
        memcpy(walk->chunk->bytes + order + i * sizeof at, &at, sizeof at);
        at += (uint32_t)grower->brothers[i].length;
    }
}

static void plant_choices(ForestWalk *walk) {
    const Forest *forest = walk->forest;
    ForestGrower *grower = walk->grower;
    Move moves[MOVES_MAX];
    const size_t count = movegen(&walk->item->pos, MOVES_ALL, moves);
    if (!forest->is_tapered) {
        const size_t length = forest->counts * sizeof *grower->above;
        trace_row(forest, grower, grower->above);
        const uint32_t base = make_room(walk, length);
        if (base == FOREST_EMPTY)
            return;
        memcpy(walk->chunk->bytes + base, grower->above, length);
        walk->place->base = base;
    }
    add_first_move(walk, walk->item->played);
    for (size_t i = 0; i < count; i++)
        if (moves[i] != walk->item->played)
            add_first_move(walk, moves[i]);
    MEM_SORT(grower->brothers + 1, grower->count - 1, compare_falling);
    walk->chunk->moves += grower->count;
    walk->place->root = put_block(walk);
    put_order(walk);
}

static void plant(ForestWalk *walk) {
    begin(walk);
    if (walk->forest->kind == FOREST_CHOICES) {
        plant_choices(walk);
        return;
    }
    // The position is a node of its own. Nothing comes before it, so it holds all its counts.
    add_brother(walk, 0, MOVE_NONE, false, 0);
    walk->place->root = put_block(walk);
}

// Goes to the node at the end of the path; true where it comes after a quiet check, which calls
// for an answer.
static bool replay(ForestWalk *walk, unsigned ply) {
    const Forest *forest = walk->forest;
    ForestGrower *grower = walk->grower;
    bool is_check = false, could_stand = false;
    begin(walk);
    for (unsigned i = 0; i <= ply; i++) {
        const ForestNode node = forest_node(walk->chunk->bytes + walk->path[i], forest->is_tapered);
        const Move move = forest_node_move(&node);
        Undo undo;
        forest_decode(forest, &node, grower->distance);
        is_check = could_stand && move_is_quiet(&grower->pos, move);
        could_stand = (node.flags & FLAG_NO_STAND) == 0;
        if (move != MOVE_NONE)
            position_make(&grower->pos, move, &undo);
    }
    memcpy(grower->above, grower->distance, forest->counts * sizeof *grower->above);
    if (walk->place->base != 0) {
        int16_t base[COEFFICIENTS_MAX];
        memcpy(base, walk->chunk->bytes + walk->place->base, forest->counts * sizeof *base);
        for (size_t i = 0; i < forest->counts; i++)
            grower->above[i] = (int16_t)(grower->above[i] + base[i]);
    }
    for (size_t i = 0; i < forest->counts; i++)
        grower->bound += abs(grower->distance[i]) * limit_of(forest, i);
    return is_check;
}

uint32_t forest_grow(ForestWalk *walk, unsigned ply) {
    const Forest *forest = walk->forest;
    ForestGrower *grower = walk->grower;
    ForestChoices choices;
    const bool must_evade = replay(walk, ply);
    forest_choices(&grower->pos, &forest->rules, ply, must_evade, &choices);
    for (size_t i = 0; i < choices.count; i++) {
        const Move move = choices.moves[i];
        // A quiet move among the choices is a check, or an evasion.
        const bool is_check = choices.may_stand && move_is_quiet(&grower->pos, move);
        Undo undo;
        position_make(&grower->pos, move, &undo);
        add_brother(walk, ply + 1, move, is_check, 0);
        position_unmake(&grower->pos, move, &undo);
    }
    MEM_SORT(grower->brothers, grower->count,
             is_own(forest, ply) ? compare_falling : compare_rising);
    assert(ply + 2 < FOREST_LEVELS);
    const uint32_t block = grower->count == 0 ? FOREST_EMPTY : put_block(walk);
    const ForestNode node = forest_node(walk->chunk->bytes + walk->path[ply], forest->is_tapered);
    memcpy((uint8_t *)node.at + sizeof(Move), &block, sizeof block);
    return block;
}

// --- walks ---

void forest_walk_init(ForestWalk *walk, const Forest *forest) {
    ForestGrower *grower = mem_alloc(sizeof *grower);
    grower->bytes = NULL;
    grower->capacity = 0;
    for (size_t i = 0; i < forest->terms; i++)
        grower->guide[i] = forest->guide[i];
    grower->cache = forest->order == ORDER_SEARCHED ? pawn_cache_create() : NULL;
    *walk = (ForestWalk){.forest = forest, .grower = grower, .status = OK};
}

void forest_walk_free(ForestWalk *walk) {
    if (walk->grower == NULL)
        return;
    pawn_cache_destroy(walk->grower->cache);
    free(walk->grower->bytes);
    free(walk->grower);
}

void forest_walk_to(ForestWalk *walk, size_t chunk, size_t place) {
    walk->chunk = &walk->forest->chunks[chunk];
    walk->place = &walk->chunk->places[place];
    walk->item = &walk->forest->items[chunk * FOREST_CHUNK + place];
    if (walk->chunk->bytes == NULL && walk->chunk->slot.length > 0 && walk->status == OK)
        walk->status = forest_spill_get(walk->forest, walk->chunk);
    if (walk->status != OK)
        return;
    if (walk->place->root == FOREST_UNKNOWN)
        plant(walk);
}

Status forest_trim(const Forest *forest, ForestChunk *chunk) {
    if (forest->max_bytes == 0 || chunk->bytes == NULL ||
        atomic_load(forest->bytes) <= forest->max_bytes)
        return OK;
    if (forest->spill != NULL)
        TRY(forest_spill_put(forest, chunk));
    atomic_fetch_sub(forest->bytes, chunk->capacity);
    free(chunk->bytes);
    chunk->bytes = NULL;
    chunk->capacity = 0;
    if (forest->spill == NULL)
        *chunk = (ForestChunk){.positions = chunk->positions};
    return OK;
}
