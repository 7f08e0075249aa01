// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/leaves_internal.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the slope ---

typedef struct Work {
    const Leaves *leaves;
    const double *coefficients;
    SlopeKind kind;
    const uint32_t *counts; // how often each position counts; NULL: once
    size_t first, stride;   // of the chunks that are looked at
    SlopePart *parts;       // one for each of these
} Work;

// What differences add up to; the second sum is a tapered family's.
typedef struct Sums {
    double middlegame, endgame;
} Sums;

// Both coefficients of two counts, or the differences of a group.
typedef double Quad __attribute__((vector_size(LEAF_GROUP * sizeof(double))));
typedef int16_t Words __attribute__((vector_size(LEAF_GROUP * sizeof(int16_t))));
typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

static Quad differences_of(const int16_t *group) {
    Words words;
    memcpy(&words, group + LEAF_GROUP, sizeof words);
    return __builtin_convertvector(words, Quad);
}

static Quad pairs_of(const double *coefficients, int first, int second) {
    const Two a = *(const Two *)(coefficients + 2 * first);
    const Two b = *(const Two *)(coefficients + 2 * second);
    return (Quad){a[0], a[1], b[0], b[1]};
}

static Sums add_up_tapered(const double *coefficients, const int16_t *leaf, Sums sums) {
    Quad first = {sums.middlegame, sums.endgame, 0, 0}, second = {0, 0, 0, 0};
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += 2 * LEAF_GROUP) {
        const Quad by = differences_of(at);
        first += pairs_of(coefficients, at[0], at[1]) * (Quad){by[0], by[0], by[1], by[1]};
        second += pairs_of(coefficients, at[2], at[3]) * (Quad){by[2], by[2], by[3], by[3]};
    }
    first += second;
    return (Sums){first[0] + first[2], first[1] + first[3]};
}

static double add_up_plain(const double *coefficients, const int16_t *leaf) {
    double first = 0, second = 0;
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += 2 * LEAF_GROUP) {
        first += coefficients[at[0]] * at[4] + coefficients[at[1]] * at[5];
        second += coefficients[at[2]] * at[6] + coefficients[at[3]] * at[7];
    }
    return first + second;
}

static Sums add_up(const Work *work, const int16_t *leaf, Sums sums) {
    if (work->leaves->is_tapered)
        return add_up_tapered(work->coefficients, leaf, sums);
    sums.middlegame += add_up_plain(work->coefficients, leaf);
    return sums;
}

static double worth_of(const Work *work, const int16_t *leaf, Sums base) {
    if (leaf[0] != LEAF_SCORE)
        return leaf[0] == LEAF_WON ? SLOPE_MATE : -SLOPE_MATE;
    const Sums sums = add_up(work, leaf, base);
    return (sums.middlegame * leaf[2] + sums.endgame * leaf[3]) / work->leaves->scale;
}

// Adds the differences of a leaf, with these pulls on the two sums, to the gradient.
static void add_gradient_tapered(const int16_t *leaf, Sums pulls, double *gradient) {
    const Two pull = {pulls.middlegame, pulls.endgame};
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += 2 * LEAF_GROUP) {
        const Quad by = differences_of(at);
#pragma GCC unroll 4
        for (int i = 0; i < LEAF_GROUP; i++)
            *(Two *)(gradient + 2 * at[i]) += pull * by[i];
    }
}

static void add_gradient_plain(const int16_t *leaf, double pull, double *gradient) {
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += 2 * LEAF_GROUP)
        for (int i = 0; i < LEAF_GROUP; i++)
            gradient[at[i]] += pull * at[LEAF_GROUP + i];
}

static void add_gradient(const Work *work, const int16_t *leaf, Sums pulls, double *gradient) {
    if (work->leaves->is_tapered)
        add_gradient_tapered(leaf, pulls, gradient);
    else
        add_gradient_plain(leaf, pulls.middlegame, gradient);
}

// The leaf of the played move: behind the base and the position itself.
static const int16_t *first_leaf(const int16_t *position) {
    return leaf_end(leaf_end(position + 1));
}

static const int16_t *skip_position(const int16_t *at) {
    const int16_t *leaf = first_leaf(at);
    for (size_t i = 0; i < (size_t)*at; i++)
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
    const size_t count = (size_t)*at;
    const int16_t *base = at + 1, *leaf = first_leaf(at);
    const Sums sums = add_up(work, base, (Sums){0, 0});
    for (size_t i = 0; i < count; i++, leaf = leaf_end(leaf))
        pulls[i] = worth_of(work, leaf, sums);
    add_loss(part, pulls, count, work->kind, times);
    Sums all = {0, 0};
    leaf = first_leaf(at);
    for (size_t i = 0; i < count; i++, leaf = leaf_end(leaf)) {
        if (fabs(pulls[i]) < 1e-9 || leaf[0] != LEAF_SCORE)
            continue;
        const Sums pull = {pulls[i] * leaf[2] / work->leaves->scale,
                           pulls[i] * leaf[3] / work->leaves->scale};
        all = (Sums){all.middlegame + pull.middlegame, all.endgame + pull.endgame};
        add_gradient(work, leaf, pull, part->gradient);
    }
    add_gradient(work, base, all, part->gradient);
    return leaf;
}

static Status add_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Work *work = context;
    const size_t number = work->first + index * work->stride;
    const LeafChunk *chunk = &work->leaves->chunks[number];
    const int16_t *at = chunk->words;
    for (size_t i = 0; i < chunk->positions; i++) {
        const uint32_t times = work->counts == NULL ? 1 : work->counts[number * LEAF_CHUNK + i];
        at = times == 0 ? skip_position(at) : add_position(work, at, times, &work->parts[index]);
    }
    return OK;
}

static Status find_slope(Work *work, size_t positions, DistPool *pool, Slope *out) {
    const Leaves *leaves = work->leaves;
    const size_t chunks = (leaves->chunk_count - work->first + work->stride - 1) / work->stride;
    work->parts = slope_parts_new(chunks, leaves->terms);
    const Status status = dist_pool_run(pool, chunks, add_chunk, work);
    slope_parts_sum(work->parts, chunks, leaves->terms, positions, out);
    return status;
}

// --- what moves change ---

// Puts a leaf's differences, times a sign, into a place for each count.
static void spread(const int16_t *leaf, int sign, int16_t *counts) {
    for (const int16_t *at = leaf + LEAF_HEADER; at < leaf_end(leaf); at += 2 * LEAF_GROUP)
        for (int i = 0; i < LEAF_GROUP; i++)
            counts[at[i]] = (int16_t)(counts[at[i]] + sign * at[LEAF_GROUP + i]);
}

// Adds the squares of how a leaf differs from the position, and counts them.
static void add_squares(const Leaves *leaves, const int16_t *leaf, const int16_t *changes,
                        double *squares, double *counts) {
    const size_t width = leaves->is_tapered ? 2 : 1;
    for (size_t i = 0; i * width < leaves->terms; i++)
        for (size_t part = 0; part < width && changes[i] != 0; part++) {
            const double change = (double)changes[i] * leaf[2 + part] / leaves->scale;
            squares[width * i + part] += change * change;
            counts[width * i + part] += leaf[2 + part] != 0;
        }
}

void leaves_reach(const Leaves *leaves, double *out) {
    CLEANUP(mem_free_at) double *counts = mem_alloc_zero(leaves->terms + 1, sizeof *counts);
    memset(out, 0, leaves->terms * sizeof *out);
    for (size_t i = 0; i < leaves->chunk_count; i++) {
        const int16_t *at = leaves->chunks[i].words;
        for (size_t k = 0; k < leaves->chunks[i].positions; k++) {
            const int16_t *self = leaf_end(at + 1), *leaf = first_leaf(at);
            for (int moves = *at; moves > 0; moves--, leaf = leaf_end(leaf)) {
                int16_t changes[COEFFICIENTS_MAX] = {0};
                if (leaf[0] != LEAF_SCORE)
                    continue;
                spread(self, -1, changes);
                spread(leaf, 1, changes);
                add_squares(leaves, leaf, changes, out, counts);
            }
            at = leaf;
        }
    }
    for (size_t i = 0; i < leaves->terms; i++)
        out[i] = counts[i] > 0 ? sqrt(out[i] / counts[i]) : 0;
}

Status leaves_slope(const Leaves *leaves, const double *coefficients, SlopeKind kind,
                    DistPool *pool, Slope *out) {
    Work work = {.leaves = leaves, .coefficients = coefficients, .kind = kind, .stride = 1};
    return find_slope(&work, leaves->totals.positions, pool, out);
}

Status leaves_counted_slope(const LeavesCounted *counted, const double *coefficients,
                            SlopeKind kind, DistPool *pool, Slope *out) {
    Work work = {.leaves = counted->leaves,
                 .coefficients = coefficients,
                 .kind = kind,
                 .counts = counted->counts,
                 .stride = 1};
    size_t positions = 0;
    for (size_t i = 0; i < counted->leaves->totals.positions; i++)
        positions += counted->counts[i];
    return find_slope(&work, positions, pool, out);
}

size_t leaves_part_positions(const Leaves *leaves, size_t part) {
    size_t positions = 0;
    for (size_t i = part; i < leaves->chunk_count; i += leaves->parts)
        positions += leaves->chunks[i].positions;
    return positions;
}

// Every so many chunks, for those beside each other may be of the same games.
static Status slope_of_part(const void *self, size_t part, const double *coefficients,
                            SlopeKind kind, DistPool *pool, Slope *out) {
    const Leaves *leaves = self;
    Work work = {.leaves = leaves,
                 .coefficients = coefficients,
                 .kind = kind,
                 .first = part,
                 .stride = leaves->parts};
    return find_slope(&work, leaves_part_positions(leaves, part), pool, out);
}

SlopeSource leaves_slope_source(const Leaves *leaves) {
    return (SlopeSource){slope_of_part, leaves, leaves->terms, leaves->parts};
}

static Status slope_of_counted(const void *self, size_t part, const double *coefficients,
                               SlopeKind kind, DistPool *pool, Slope *out) {
    (void)part;
    return leaves_counted_slope(self, coefficients, kind, pool, out);
}

SlopeSource leaves_counted_source(const LeavesCounted *counted) {
    return (SlopeSource){slope_of_counted, counted, counted->leaves->terms, 1};
}
