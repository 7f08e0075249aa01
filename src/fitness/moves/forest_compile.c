// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "fitness/moves/forest_internal.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 16 };

typedef struct Words {
    uint16_t words[COEFFICIENTS_MAX * DIGITS_MOST];
    size_t count;
} Words;

// A node on the path from the root, as the side that chooses sees it.
typedef struct Path {
    int16_t row[COEFFICIENTS_MAX];
    int64_t bound; // of its score less the base's, over all that the limits allow
    int64_t value; // by the guide
    Taper taper;
} Path;

// What one chunk is compiled with.
typedef struct Compiler {
    const ForestConfig *config;
    ForestChunk *chunk;
    size_t counts, header;
    bool is_tapered;
    int64_t largest; // bound of all nodes so far
    int sign;        // counts are those of White; +1 when White chooses
    Position pos;
    Path path[FOREST_LEVELS]; // the first is what scores are measured from: the root, or nothing
    uint16_t *scratch;
    size_t scratch_capacity;
} Compiler;

// A tree that was compiled, for putting brothers in order.
typedef struct Tree {
    size_t start, length;
    int64_t value; // by the guide, as the chooser sees it
} Tree;

static void trace_row(const Compiler *compiler, int16_t *row) {
    Trace trace;
    family_trace(compiler->config->family, &compiler->pos, &trace);
    for (size_t i = 0; i < compiler->counts; i++)
        row[i] = (int16_t)(compiler->sign * trace.counts[i]);
}

// Makes room for a node with any differences.
static uint16_t *make_room(const Compiler *compiler) {
    ForestChunk *chunk = compiler->chunk;
    const size_t most = compiler->header + compiler->counts * DIGITS_MOST;
    chunk->words =
        mem_grow(chunk->words, &chunk->capacity, chunk->count + most, sizeof *chunk->words);
    return chunk->words + chunk->count;
}

// The digits of a difference as sums and differences of powers of two, as few as can be: 7 is 8
// - 1.
static void split(Words *added, Words *subtracted, size_t term, int difference) {
    Words *plus = difference > 0 ? added : subtracted, *minus = difference > 0 ? subtracted : added;
    unsigned left = (unsigned)(difference < 0 ? -difference : difference), power = 0;
    const unsigned top = FOREST_POWERS - 1;
    for (; left >= 1u << FOREST_POWERS; left -= 1u << top)
        plus->words[plus->count++] = (uint16_t)(term * FOREST_POWERS + top);
    for (; left != 0; left >>= 1, power++) {
        if ((left & 1) == 0)
            continue;
        // Two ones in a row: one less here, one more above.
        const bool is_minus = (left & 3) == 3 && power < top;
        Words *words = is_minus ? minus : plus;
        words->words[words->count++] = (uint16_t)(term * FOREST_POWERS + power);
        left += is_minus ? 1 : 0;
        left -= is_minus ? 0 : 1;
    }
}

// How large the score of a count can be, and what it is by the guide.
static int64_t limit_of(const Compiler *compiler, size_t count) {
    const int32_t *limits = compiler->config->limits;
    if (!compiler->is_tapered)
        return limits[count];
    // The two shares never add up to more than the whole scale.
    const int32_t middlegame = limits[2 * count], endgame = limits[2 * count + 1];
    return (int64_t)(middlegame > endgame ? middlegame : endgame) * compiler->config->family->scale;
}

static int64_t value_of(const Compiler *compiler, const Path *node) {
    const int32_t *guide = compiler->config->guide;
    int64_t sums[2] = {0, 0};
    for (size_t i = 0; i < 2 * compiler->counts; i++)
        sums[i % 2] += (int64_t)node->row[i / 2] * guide[i];
    return sums[0] * node->taper.middlegame + sums[1] * node->taper.endgame;
}

// Writes a node's differences, and brings its bound and its value by the guide up to date.
static void put_differences(Compiler *compiler, const Path *before, Path *after, uint16_t *header) {
    Words added, subtracted; // too large to be cleared each time
    added.count = subtracted.count = 0;
    const int32_t *guide = compiler->config->guide;
    const int16_t *base = compiler->path[0].row;
    after->bound = before->bound;
    after->value = before->value;
    for (size_t i = 0; i < compiler->counts; i++) {
        const int difference = after->row[i] - before->row[i];
        if (difference == 0)
            continue;
        after->value += (int64_t)difference * guide[i];
        after->bound += (int64_t)(abs(after->row[i] - base[i]) - abs(before->row[i] - base[i])) *
                        limit_of(compiler, i);
        split(&added, &subtracted, i, difference);
    }
    if (compiler->is_tapered) {
        after->value = value_of(compiler, after);
        header[5] = (uint16_t)after->taper.middlegame;
        header[6] = (uint16_t)after->taper.endgame;
    }
    compiler->largest = after->bound > compiler->largest ? after->bound : compiler->largest;
    memcpy(header + compiler->header, added.words, added.count * sizeof *header);
    memcpy(header + compiler->header + added.count, subtracted.words,
           subtracted.count * sizeof *header);
    header[3] = (uint16_t)added.count;
    header[4] = (uint16_t)subtracted.count;
    compiler->chunk->count += compiler->header + added.count + subtracted.count;
    compiler->chunk->differences += added.count + subtracted.count;
}

// Puts brothers in order, the best for the side to move first; of equals the one compiled first.
static int compare_rising(const void *a, const void *b) {
    const Tree *first = a, *second = b;
    if (first->value != second->value)
        return first->value < second->value ? -1 : 1;
    return first->start < second->start ? -1 : 1;
}
static int compare_falling(const void *a, const void *b) {
    const Tree *first = a, *second = b;
    if (first->value != second->value)
        return first->value > second->value ? -1 : 1;
    return first->start < second->start ? -1 : 1;
}

static void order_trees(Compiler *compiler, Tree *trees, size_t count, bool own) {
    ForestChunk *chunk = compiler->chunk;
    if (count < 2)
        return;
    const size_t start = trees[0].start, length = chunk->count - start;
    qsort(trees, count, sizeof *trees, own ? compare_falling : compare_rising);
    compiler->scratch =
        mem_grow(compiler->scratch, &compiler->scratch_capacity, length, sizeof *compiler->scratch);
    memcpy(compiler->scratch, chunk->words + start, length * sizeof *chunk->words);
    size_t at = start;
    for (size_t i = 0; i < count; i++) {
        memcpy(chunk->words + at, compiler->scratch + (trees[i].start - start),
               trees[i].length * sizeof *chunk->words);
        at += trees[i].length;
    }
}

static int64_t compile_node(Compiler *compiler, unsigned ply, bool must_evade, unsigned flags);

// Compiles the tree of each choice, and returns the value the side to move can reach by the guide.
static int64_t compile_children(Compiler *compiler, const ForestChoices *choices, unsigned ply,
                                bool own, int64_t stand) {
    Tree trees[MOVES_MAX];
    int64_t best = stand;
    for (size_t i = 0; i < choices->count; i++) {
        const Move move = choices->moves[i];
        // A quiet move among the choices is a check, or an evasion.
        const bool is_check = choices->may_stand && move_is_quiet(&compiler->pos, move);
        Undo undo;
        trees[i].start = compiler->chunk->count;
        position_make(&compiler->pos, move, &undo);
        trees[i].value = compile_node(compiler, ply + 1, is_check, own ? 0 : FLAG_OWN);
        position_unmake(&compiler->pos, move, &undo);
        trees[i].length = compiler->chunk->count - trees[i].start;
        const bool is_first = i == 0 && !choices->may_stand;
        const bool is_better = own ? trees[i].value > best : trees[i].value < best;
        if (is_first || is_better)
            best = trees[i].value;
    }
    order_trees(compiler, trees, choices->count, own);
    return best;
}

static int64_t compile_node(Compiler *compiler, unsigned ply, bool must_evade, unsigned flags) {
    ForestChunk *chunk = compiler->chunk;
    const size_t start = chunk->count;
    Path *here = &compiler->path[ply + 1];
    const bool own = flags & FLAG_OWN;
    ForestChoices choices;
    forest_choices(&compiler->pos, &compiler->config->rules, ply, must_evade, &choices);
    // A draw is 0 whatever the weights: no count at all.
    if (choices.is_stalemate)
        memset(here->row, 0, compiler->counts * sizeof *here->row);
    else
        trace_row(compiler, here->row);
    if (compiler->is_tapered)
        here->taper = compiler->config->family->taper(&compiler->pos);
    put_differences(compiler, here - 1, here, make_room(compiler));
    flags |= (choices.may_stand ? 0 : FLAG_NO_STAND) | (choices.is_mate ? FLAG_MATE : 0);
    const int64_t value = choices.is_mate
                              ? (own ? -FOREST_MATE_WIDE : FOREST_MATE_WIDE)
                              : compile_children(compiler, &choices, ply, own, here->value);
    const size_t size = chunk->count - start;
    uint16_t *header = chunk->words + start;
    header[0] = (uint16_t)size;
    header[1] = (uint16_t)(size >> 16);
    header[2] = (uint16_t)flags;
    chunk->nodes++;
    return value;
}

// One first move and all that may follow.
static int64_t compile_move(Compiler *compiler, Move move, unsigned flags) {
    Undo undo;
    position_make(&compiler->pos, move, &undo);
    const int64_t value = compile_node(compiler, 0, false, flags);
    position_unmake(&compiler->pos, move, &undo);
    compiler->chunk->moves++;
    return value;
}

static ForestPlace *begin_position(Compiler *compiler, const PlayedItem *item) {
    ForestPlace *place = &compiler->chunk->places[compiler->chunk->positions++];
    compiler->pos = item->pos;
    compiler->sign = position_turn(&item->pos) == WHITE ? 1 : -1;
    compiler->largest = 0;
    compiler->path[0] = (Path){0};
    place->start = (uint32_t)compiler->chunk->count;
    return place;
}

static Status end_position(Compiler *compiler, ForestPlace *place) {
    place->end = (uint32_t)compiler->chunk->count;
    // Scores the limits allow must fit the lanes.
    place->is_wide = compiler->largest > FOREST_NARROW;
    // No memory would help, and no other depth: this is no ERR_LIMIT.
    if (compiler->largest >= FOREST_MATE_WIDE)
        return error_set(ERR_ARG, "scores of family %s may not fit 32 bits: narrow its bounds",
                         compiler->config->family->name);
    return compiler->chunk->count <= FOREST_WORDS_MOST
               ? OK
               : error_set(ERR_LIMIT,
                           "the trees of %d positions are too large: lower the depth of "
                           "quiescence",
                           FOREST_CHUNK);
}

static Status compile_position(Compiler *compiler, const PlayedItem *item) {
    ForestChunk *chunk = compiler->chunk;
    Move moves[MOVES_MAX];
    Tree trees[MOVES_MAX];
    size_t others = 0;
    ForestPlace *place = begin_position(compiler, item);
    if (!compiler->is_tapered)
        trace_row(compiler, compiler->path[0].row);
    compile_move(compiler, item->played, 0);
    const size_t count = movegen(&item->pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == item->played)
            continue;
        const bool is_first = forest_move_order(moves[i]) < forest_move_order(item->played);
        trees[others].start = chunk->count;
        trees[others].value = compile_move(compiler, moves[i], is_first ? FLAG_FIRST : 0);
        trees[others].length = chunk->count - trees[others].start;
        others++;
    }
    order_trees(compiler, trees, others, true);
    return end_position(compiler, place);
}

// The position as a node of its own. Nothing comes before it, so it holds all its counts.
static Status compile_value(Compiler *compiler, const PlayedItem *item) {
    ForestPlace *place = begin_position(compiler, item);
    compile_node(compiler, 0, false, FLAG_OWN);
    return end_position(compiler, place);
}

Status forest_compile_chunk(ForestChunk *chunk, ForestKind kind, const PlayedItem *items,
                            size_t count, const ForestConfig *config) {
    Compiler *compiler = mem_alloc(sizeof *compiler);
    const bool is_tapered = config->family->taper != NULL;
    *compiler = (Compiler){.config = config,
                           .chunk = chunk,
                           .counts = config->family->feature_count,
                           .header = is_tapered ? FOREST_TAPERED_HEADER : FOREST_HEADER,
                           .is_tapered = is_tapered};
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++)
        status = kind == FOREST_VALUES ? compile_value(compiler, &items[i])
                                       : compile_position(compiler, &items[i]);
    free(compiler->scratch);
    free(compiler);
    // What growing left over is given back.
    chunk->words = mem_resize(chunk->words, (chunk->count + 1) * sizeof *chunk->words);
    return status;
}
