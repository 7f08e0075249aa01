// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "fitness/forest_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES_MAX = 64, WORDS_MOST = 1 << 30, DIGITS_MOST = 16 };

typedef struct Words {
    uint16_t words[COEFFICIENTS_MAX * DIGITS_MOST];
    size_t count;
} Words;

// A node on the path from the root, as the side that chooses sees it.
typedef struct Path {
    int16_t row[COEFFICIENTS_MAX];
    int64_t bound; // of its score less the root's, over all that the limits allow
    int64_t value; // by the guide
} Path;

// What one chunk is compiled with.
typedef struct Compiler {
    const ForestConfig *config;
    ForestChunk *chunk;
    size_t terms;
    int sign;     // counts are those of White; +1 when White chooses
    bool is_wide; // of the position at hand
    Position pos;
    Path path[PLIES_MAX];
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
    for (size_t i = 0; i < compiler->terms; i++)
        row[i] = (int16_t)(compiler->sign * trace.counts[i]);
}

// Makes room for a node with any differences.
static uint16_t *make_room(const Compiler *compiler) {
    ForestChunk *chunk = compiler->chunk;
    const size_t most = FOREST_HEADER + compiler->terms * DIGITS_MOST;
    chunk->words =
        vec_grow(chunk->words, &chunk->capacity, chunk->count + most, sizeof *chunk->words);
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

// Writes a node's differences, and brings its bound and its value by the guide up to date.
static void put_differences(Compiler *compiler, const Path *before, Path *after, uint16_t *header) {
    Words added, subtracted; // too large to be cleared each time
    added.count = subtracted.count = 0;
    const ForestConfig *config = compiler->config;
    const int16_t *root = compiler->path[0].row;
    after->bound = before->bound;
    after->value = before->value;
    for (size_t i = 0; i < compiler->terms; i++) {
        const int difference = after->row[i] - before->row[i];
        if (difference == 0)
            continue;
        after->value += (int64_t)difference * config->guide[i];
        after->bound += (int64_t)(abs(after->row[i] - root[i]) - abs(before->row[i] - root[i])) *
                        config->limits[i];
        split(&added, &subtracted, i, difference);
    }
    // Scores the limits allow, measured from the root, must fit 16 bits.
    compiler->is_wide = compiler->is_wide || after->bound > FOREST_NARROW;
    memcpy(header + FOREST_HEADER, added.words, added.count * sizeof *header);
    memcpy(header + FOREST_HEADER + added.count, subtracted.words,
           subtracted.count * sizeof *header);
    header[3] = (uint16_t)added.count;
    header[4] = (uint16_t)subtracted.count;
    compiler->chunk->count += FOREST_HEADER + added.count + subtracted.count;
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
        vec_grow(compiler->scratch, &compiler->scratch_capacity, length, sizeof *compiler->scratch);
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
        memset(here->row, 0, compiler->terms * sizeof *here->row);
    else
        trace_row(compiler, here->row);
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

static void compile_position(Compiler *compiler, const PlayedItem *item) {
    ForestChunk *chunk = compiler->chunk;
    Move moves[MOVES_MAX];
    Tree trees[MOVES_MAX];
    size_t others = 0;
    ForestPlace *place = &chunk->places[chunk->positions++];
    compiler->pos = item->pos;
    compiler->sign = position_turn(&item->pos) == WHITE ? 1 : -1;
    compiler->is_wide = false;
    trace_row(compiler, compiler->path[0].row);
    compiler->path[0].bound = compiler->path[0].value = 0;
    place->start = (uint32_t)chunk->count;
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
    place->end = (uint32_t)chunk->count;
    place->is_wide = compiler->is_wide;
}

Status forest_compile_chunk(ForestChunk *chunk, const PlayedItem *items, size_t count,
                            const ForestConfig *config) {
    Compiler *compiler = mem_alloc(sizeof *compiler);
    *compiler =
        (Compiler){.config = config, .chunk = chunk, .terms = config->family->coefficient_count};
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        compile_position(compiler, &items[i]);
        if (chunk->count > WORDS_MOST)
            status = error_set(ERR_LIMIT,
                               "the trees of %d positions are too large: lower the "
                               "depth of quiescence",
                               FOREST_CHUNK);
    }
    free(compiler->scratch);
    free(compiler);
    // What growing left over is given back.
    chunk->words = mem_resize(chunk->words, (chunk->count + 1) * sizeof *chunk->words);
    return status;
}
