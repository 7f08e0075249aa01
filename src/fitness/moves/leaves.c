// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/leaves.h"

#include "base/mem.h"
#include "eval/pawn_cache.h"
#include "fitness/moves/forest_plain.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A position is a word, the number of its moves, what their leaves are measured from, and the
// leaves, the played move's first. A leaf is a header (a LeafKind, how many differences there are,
// its shares of middlegame and endgame), and for each difference the number of the count and by how
// much it differs. Leaves are measured from the position itself, and that from nothing: it is
// written as a leaf too. What all moves have in common decides nothing, and is left out, but for
// tapered families, whose leaves have different shares of it.
enum { LEAF_HEADER = 4, DIFFERENCE = 2, CHUNK = 256 };

typedef enum LeafKind { LEAF_SCORE, LEAF_WON, LEAF_LOST } LeafKind;

typedef struct LeafChunk {
    int16_t *words; // owned
    size_t count, capacity, positions;
    LeavesTotals totals;
} LeafChunk;

struct Leaves {
    LeafChunk *chunks;
    size_t chunk_count, terms;
    bool is_tapered;
    double scale; // of scores: what makes a point
    LeavesTotals totals;
};

// --- finding ---

typedef struct Search {
    Leaves *leaves;
    const PlayedSet *set;
    const LeavesConfig *config;
    int coefficients[COEFFICIENTS_MAX];
    PawnCache **caches; // one per thread
    _Atomic size_t bytes;
} Search;

// What one chunk is searched with.
typedef struct Finder {
    const Search *search;
    PawnCache *cache;
    LeafChunk *chunk;
    Trace root;
    int sign; // counts are those of White; +1 when White chooses
    ForestScores scores;
} Finder;

// Counts less others', and shares, of a leaf.
static void put_differences(Finder *finder, LeafKind kind, Taper taper, const Trace *counts,
                            const Trace *less) {
    const size_t most = finder->search->config->family->feature_count;
    LeafChunk *chunk = finder->chunk;
    chunk->words = mem_grow(chunk->words, &chunk->capacity,
                            chunk->count + LEAF_HEADER + DIFFERENCE * most, sizeof *chunk->words);
    int16_t *leaf = chunk->words + chunk->count, *word = leaf + LEAF_HEADER;
    for (size_t i = 0; i < most && kind == LEAF_SCORE; i++) {
        const int difference = finder->sign * (counts->counts[i] - less->counts[i]);
        if (difference == 0)
            continue;
        *word++ = (int16_t)i;
        *word++ = (int16_t)difference;
    }
    leaf[0] = (int16_t)kind;
    leaf[1] = (int16_t)((word - leaf - LEAF_HEADER) / DIFFERENCE);
    leaf[2] = (int16_t)taper.middlegame;
    leaf[3] = (int16_t)taper.endgame;
    chunk->totals.differences += (uint64_t)leaf[1];
    chunk->count = (size_t)(word - chunk->words);
}

// The whole of a plain family is one sum.
static Taper shares_of(const Family *family, const Position *pos) {
    return family->taper == NULL ? (Taper){1, 0} : family->taper(pos);
}

static void put_leaf(Finder *finder, const Position *pos, size_t place) {
    const Family *family = finder->search->config->family;
    const ForestLine *line = &finder->scores.lines[place];
    const LeafKind kind = line->end != END_MATE              ? LEAF_SCORE
                          : finder->scores.scores[place] > 0 ? LEAF_WON
                                                             : LEAF_LOST;
    Position end = *pos;
    Undo undo;
    Trace trace;
    position_make(&end, finder->scores.moves[place], &undo);
    for (size_t i = 0; i < line->count; i++)
        position_make(&end, line->moves[i], &undo);
    // A draw is 0 whatever the weights, so it has no counts.
    if (line->end == END_STALEMATE)
        memset(&trace, 0, sizeof trace);
    else if (kind == LEAF_SCORE)
        family_trace(family, &end, &trace);
    put_differences(finder, kind, shares_of(family, &end), &trace, &finder->root);
    finder->chunk->totals.moves++;
}

static bool is_chosen(const ForestScores *scores, size_t played) {
    const Move move = scores->moves[played];
    for (size_t i = 0; i < scores->count; i++) {
        const bool is_first = forest_move_order(scores->moves[i]) < forest_move_order(move);
        if (scores->scores[i] > scores->scores[played] ||
            (scores->scores[i] == scores->scores[played] && is_first))
            return false;
    }
    return true;
}

static void find_position(Finder *finder, const PlayedItem *item) {
    const LeavesConfig *config = finder->search->config;
    LeafChunk *chunk = finder->chunk;
    size_t played = 0;
    finder->sign = position_turn(&item->pos) == WHITE ? 1 : -1;
    family_trace(config->family, &item->pos, &finder->root);
    forest_plain_scores(&item->pos, config->family, finder->search->coefficients, &config->rules,
                        finder->cache, &finder->scores);
    while (finder->scores.moves[played] != item->played)
        played++;
    MEM_ADD(chunk->words, chunk->count, chunk->capacity) = (int16_t)finder->scores.count;
    // Nothing, or where all its moves start from.
    static const Trace nothing;
    put_differences(finder, LEAF_SCORE, (Taper){0, 0}, &finder->root,
                    config->family->taper == NULL ? &finder->root : &nothing);
    put_leaf(finder, &item->pos, played);
    for (size_t i = 0; i < finder->scores.count; i++)
        if (i != played)
            put_leaf(finder, &item->pos, i);
    chunk->positions++;
    chunk->totals.hits += is_chosen(&finder->scores, played);
}

static Status find_chunk(void *context, size_t index, int worker) {
    Search *search = context;
    LeafChunk *chunk = &search->leaves->chunks[index];
    Finder *finder = mem_alloc(sizeof *finder);
    finder->search = search;
    finder->cache = search->caches[worker];
    finder->chunk = chunk;
    const size_t first = index * CHUNK, left = search->set->count - first;
    for (size_t i = 0; i < (left < CHUNK ? left : CHUNK); i++)
        find_position(finder, &search->set->items[first + i]);
    free(finder);
    // What growing left over is given back.
    chunk->words = mem_resize(chunk->words, (chunk->count + 1) * sizeof *chunk->words);
    const size_t bytes = chunk->count * sizeof *chunk->words, most = search->config->max_bytes;
    const size_t all = atomic_fetch_add(&search->bytes, bytes) + bytes;
    return most == 0 || all <= most
               ? OK
               : error_set(ERR_LIMIT,
                           "the leaves take more than %zu MB: take fewer positions, or allow more "
                           "memory",
                           most >> 20);
}

static void add_totals(Leaves *leaves) {
    LeavesTotals *totals = &leaves->totals;
    for (size_t i = 0; i < leaves->chunk_count; i++) {
        const LeafChunk *chunk = &leaves->chunks[i];
        totals->positions += chunk->positions;
        totals->moves += chunk->totals.moves;
        totals->differences += chunk->totals.differences;
        totals->hits += chunk->totals.hits;
        totals->bytes += chunk->count * sizeof *chunk->words;
    }
}

Status leaves_find(Leaves **out, const PlayedSet *set, const LeavesConfig *config,
                   const int32_t *coefficients, DistPool *pool) {
    const size_t threads = (size_t)dist_pool_threads(pool);
    Leaves *leaves = mem_alloc_zero(1, sizeof *leaves);
    leaves->terms = config->family->coefficient_count;
    leaves->is_tapered = config->family->taper != NULL;
    leaves->scale = leaves->is_tapered ? config->family->scale : 1;
    leaves->chunk_count = (set->count + CHUNK - 1) / CHUNK;
    leaves->chunks = mem_alloc_zero(leaves->chunk_count + 1, sizeof *leaves->chunks);
    Search search = {.leaves = leaves, .set = set, .config = config};
    search.caches = mem_alloc(threads * sizeof *search.caches);
    for (size_t i = 0; i < leaves->terms; i++)
        search.coefficients[i] = coefficients[i];
    for (size_t i = 0; i < threads; i++)
        search.caches[i] = pawn_cache_create();
    const Status status = dist_pool_run(pool, leaves->chunk_count, find_chunk, &search);
    for (size_t i = 0; i < threads; i++)
        pawn_cache_destroy(search.caches[i]);
    free(search.caches);
    add_totals(leaves);
    if (status == OK)
        *out = leaves;
    else
        leaves_free(leaves);
    return status;
}

void leaves_free(Leaves *leaves) {
    if (leaves == NULL)
        return;
    for (size_t i = 0; i < leaves->chunk_count; i++)
        free(leaves->chunks[i].words);
    free(leaves->chunks);
    free(leaves);
}

LeavesTotals leaves_totals(const Leaves *leaves) {
    return leaves->totals;
}

// --- the slope ---

typedef struct Work {
    const Leaves *leaves;
    const double *coefficients;
    SlopeKind kind;
    const uint32_t *counts; // how often each position counts; NULL: once
    SlopePart *parts;       // one per chunk
} Work;

static const int16_t *leaf_end(const int16_t *leaf) {
    return leaf + LEAF_HEADER + DIFFERENCE * leaf[1];
}

// What differences add up to; the second sum is a tapered family's.
typedef struct Sums {
    double middlegame, endgame;
} Sums;

static Sums add_up(const Work *work, const int16_t *leaf, Sums sums) {
    const double *coefficients = work->coefficients;
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += DIFFERENCE) {
        if (work->leaves->is_tapered) {
            sums.middlegame += coefficients[2 * at[0]] * at[1];
            sums.endgame += coefficients[2 * at[0] + 1] * at[1];
        } else {
            sums.middlegame += coefficients[at[0]] * at[1];
        }
    }
    return sums;
}

static double worth_of(const Work *work, const int16_t *leaf, Sums root) {
    if (leaf[0] != LEAF_SCORE)
        return leaf[0] == LEAF_WON ? SLOPE_MATE : -SLOPE_MATE;
    const Sums sums = add_up(work, leaf, root);
    return (sums.middlegame * leaf[2] + sums.endgame * leaf[3]) / work->leaves->scale;
}

// Adds the differences of a leaf, with these pulls on the two sums, to the gradient.
static void add_gradient(const Work *work, const int16_t *leaf, Sums pulls, double *gradient) {
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += DIFFERENCE) {
        if (work->leaves->is_tapered) {
            gradient[2 * at[0]] += pulls.middlegame * at[1];
            gradient[2 * at[0] + 1] += pulls.endgame * at[1];
        } else {
            gradient[at[0]] += pulls.middlegame * at[1];
        }
    }
}

static const int16_t *skip_position(const int16_t *at) {
    const int16_t *leaf = at + 1;
    for (size_t i = 0; i <= (size_t)*at; i++)
        leaf = leaf_end(leaf);
    return leaf;
}

// Adds a position's loss and hit as often as it counts; scores become pulls.
static void add_loss(SlopePart *part, double *scores, size_t moves, SlopeKind kind,
                     uint32_t times) {
    SlopePart one = {0};
    slope_add_position(&one, scores, moves, kind);
    part->loss += times * one.loss;
    part->hits += times * one.hits;
    for (size_t i = 0; i < moves && times != 1; i++)
        scores[i] *= times;
}

// Adds a position to the part, and returns where the next one begins.
static const int16_t *add_position(const Work *work, const int16_t *at, uint32_t times,
                                   SlopePart *part) {
    double pulls[MOVES_MAX];
    const size_t count = (size_t)*at++;
    const int16_t *root = at, *leaf = leaf_end(root);
    const Sums sums = add_up(work, root, (Sums){0, 0});
    for (size_t i = 0; i < count; i++, leaf = leaf_end(leaf))
        pulls[i] = worth_of(work, leaf, sums);
    add_loss(part, pulls, count, work->kind, times);
    Sums all = {0, 0};
    leaf = leaf_end(root);
    for (size_t i = 0; i < count; i++, leaf = leaf_end(leaf)) {
        if (fabs(pulls[i]) < 1e-9 || leaf[0] != LEAF_SCORE)
            continue;
        const Sums pull = {pulls[i] * leaf[2] / work->leaves->scale,
                           pulls[i] * leaf[3] / work->leaves->scale};
        all = (Sums){all.middlegame + pull.middlegame, all.endgame + pull.endgame};
        add_gradient(work, leaf, pull, part->gradient);
    }
    add_gradient(work, root, all, part->gradient);
    return leaf;
}

static Status add_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Work *work = context;
    const LeafChunk *chunk = &work->leaves->chunks[index];
    const int16_t *at = chunk->words;
    for (size_t i = 0; i < chunk->positions; i++) {
        const uint32_t times = work->counts == NULL ? 1 : work->counts[index * CHUNK + i];
        at = times == 0 ? skip_position(at) : add_position(work, at, times, &work->parts[index]);
    }
    return OK;
}

static Status find_slope(Work *work, size_t positions, DistPool *pool, Slope *out) {
    const Leaves *leaves = work->leaves;
    work->parts = slope_parts_new(leaves->chunk_count, leaves->terms);
    const Status status = dist_pool_run(pool, leaves->chunk_count, add_chunk, work);
    slope_parts_sum(work->parts, leaves->chunk_count, leaves->terms, positions, out);
    return status;
}

// --- what moves change ---

// Adds the squares of a leaf's differences, and counts them.
static void add_squares(const Leaves *leaves, const int16_t *leaf, double *squares,
                        double *counts) {
    const int width = leaves->is_tapered ? 2 : 1;
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += DIFFERENCE)
        for (int part = 0; part < width; part++) {
            const double change = (double)at[1] * leaf[2 + part] / leaves->scale;
            squares[width * at[0] + part] += change * change;
            counts[width * at[0] + part] += leaf[2 + part] != 0;
        }
}

void leaves_reach(const Leaves *leaves, double *out) {
    CLEANUP(mem_free_at) double *counts = mem_alloc_zero(leaves->terms + 1, sizeof *counts);
    memset(out, 0, leaves->terms * sizeof *out);
    for (size_t i = 0; i < leaves->chunk_count; i++) {
        const int16_t *at = leaves->chunks[i].words;
        for (size_t k = 0; k < leaves->chunks[i].positions; k++) {
            const int16_t *leaf = leaf_end(at + 1);
            for (int moves = *at; moves > 0; moves--, leaf = leaf_end(leaf))
                add_squares(leaves, leaf, out, counts);
            at = leaf;
        }
    }
    for (size_t i = 0; i < leaves->terms; i++)
        out[i] = counts[i] > 0 ? sqrt(out[i] / counts[i]) : 0;
}

Status leaves_slope(const Leaves *leaves, const double *coefficients, SlopeKind kind,
                    DistPool *pool, Slope *out) {
    Work work = {.leaves = leaves, .coefficients = coefficients, .kind = kind};
    return find_slope(&work, leaves->totals.positions, pool, out);
}

Status leaves_counted_slope(const LeavesCounted *counted, const double *coefficients,
                            SlopeKind kind, DistPool *pool, Slope *out) {
    Work work = {counted->leaves, coefficients, kind, counted->counts, NULL};
    size_t positions = 0;
    for (size_t i = 0; i < counted->leaves->totals.positions; i++)
        positions += counted->counts[i];
    return find_slope(&work, positions, pool, out);
}

static Status slope_of_self(const void *self, const double *coefficients, SlopeKind kind,
                            DistPool *pool, Slope *out) {
    return leaves_slope(self, coefficients, kind, pool, out);
}

SlopeSource leaves_slope_source(const Leaves *leaves) {
    return (SlopeSource){slope_of_self, leaves, leaves->terms};
}

static Status slope_of_counted(const void *self, const double *coefficients, SlopeKind kind,
                               DistPool *pool, Slope *out) {
    return leaves_counted_slope(self, coefficients, kind, pool, out);
}

SlopeSource leaves_counted_source(const LeavesCounted *counted) {
    return (SlopeSource){slope_of_counted, counted, counted->leaves->terms};
}
