// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_gradient.h"

#include "base/mem.h"
#include "fitness/moves/forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The nodes from a first move down to the leaf that decides its score.
typedef struct Line {
    uint32_t nodes[FOREST_LEVELS];
    size_t count;
    bool is_mate; // then the score depends on no coefficient
} Line;

// A row of the table of products, and what rows add up to; the second is a tapered family's.
typedef struct Sums {
    double middlegame, endgame;
} Sums;

typedef struct Climb {
    const Sums *products; // coefficients times 1, -1, 2, -2 ...
    double mate;
    ForestWalk walk;
} Climb;

// How much the two sums count in a node.
static Sums shares_of(const Forest *forest, const ForestNode *node) {
    const double scale = forest->family->scale;
    return forest->is_tapered ? (Sums){node->shares[0] / scale, node->shares[1] / scale}
                              : (Sums){1, 0};
}

static ForestNode node_at(const ForestWalk *walk, uint32_t at) {
    return forest_node(walk->chunk->bytes + at, walk->forest->is_tapered);
}

static Sums sums_of(const Climb *climb, const ForestNode *node, Sums sums) {
    for (const uint8_t *at = node->rows; at < node->end;) {
        const Sums *products = &climb->products[forest_next_row(&at)];
        sums.middlegame += products->middlegame;
        sums.endgame += products->endgame;
    }
    return sums;
}

static void keep_path(const ForestWalk *walk, size_t depth, bool is_mate, Line *line) {
    memcpy(line->nodes, walk->path, depth * sizeof *line->nodes);
    line->count = depth;
    line->is_mate = is_mate;
}

// The score of a node as the chooser sees it, and the line to the leaf it comes from.
static double worth(Climb *climb, uint32_t at, Sums parent, unsigned ply, double low, double high,
                    Line *line) {
    ForestWalk *walk = &climb->walk;
    const bool own = ply % 2 == 1;
    const ForestNode node = node_at(walk, at);
    walk->path[ply] = at;
    if (node.flags & FLAG_MATE) {
        keep_path(walk, ply + 1, true, line);
        return own ? -climb->mate : climb->mate;
    }
    const Sums sums = sums_of(climb, &node, parent), shares = shares_of(walk->forest, &node);
    double best = own ? -HUGE_VAL : HUGE_VAL;
    if ((node.flags & FLAG_NO_STAND) == 0) {
        best = sums.middlegame * shares.middlegame + sums.endgame * shares.endgame;
        keep_path(walk, ply + 1, false, line);
    }
    low = own && best > low ? best : low;
    high = !own && best < high ? best : high;
    if (low >= high)
        return best;
    uint32_t child = forest_children(walk, &node, ply);
    for (unsigned left = walk->chunk->bytes[child++]; left > 0 && low < high; left--) {
        Line below;
        const double value = worth(climb, child, sums, ply + 1, low, high, &below);
        if (own ? value > best : value < best) {
            best = value;
            *line = below;
        }
        low = own && best > low ? best : low;
        high = !own && best < high ? best : high;
        child = (uint32_t)(node_at(walk, child).end - walk->chunk->bytes);
    }
    return best;
}

// Adds `times` the counts of a line's leaf, less what all moves share, to the gradient.
static void add_line(const ForestWalk *walk, const Line *line, double times, double *gradient) {
    const Forest *forest = walk->forest;
    if (line->is_mate)
        return;
    const ForestNode leaf = node_at(walk, line->nodes[line->count - 1]);
    const Sums shares = shares_of(forest, &leaf);
    for (size_t i = 0; i < line->count; i++) {
        const ForestNode node = node_at(walk, line->nodes[i]);
        for (const uint8_t *at = node.rows; at < node.end;) {
            const size_t row = forest_next_row(&at), count = row % forest->counts;
            const double change = times * forest_row_factor(forest, row);
            if (forest->is_tapered) {
                gradient[2 * count] += change * shares.middlegame;
                gradient[2 * count + 1] += change * shares.endgame;
            } else {
                gradient[count] += change;
            }
        }
    }
}

typedef struct Work {
    const Forest *forest;
    const Sums *products;
    SlopeKind kind;
    SlopePart *parts; // one per chunk
} Work;

typedef struct Scratch {
    double scores[MOVES_MAX];
    Line lines[MOVES_MAX];
} Scratch;

// Moves are taken as they lie: in the same order, whoever walked here before.
static Status climb_position(Climb *climb, SlopeKind kind, Scratch *scratch, SlopePart *part) {
    const ForestWalk *walk = &climb->walk;
    TRY(walk->status);
    uint32_t tree = walk->place->root;
    const size_t count = walk->chunk->bytes[tree++];
    for (size_t i = 0; i < count; i++) {
        scratch->scores[i] =
            worth(climb, tree, (Sums){0, 0}, 0, -HUGE_VAL, HUGE_VAL, &scratch->lines[i]);
        tree = (uint32_t)(node_at(walk, tree).end - walk->chunk->bytes);
    }
    TRY(walk->status);
    slope_add_position(part, scratch->scores, count, kind);
    for (size_t i = 0; i < count; i++)
        if (fabs(scratch->scores[i]) > 1e-9)
            add_line(walk, &scratch->lines[i], scratch->scores[i], part->gradient);
    return OK;
}

static Status climb_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Work *work = context;
    ForestChunk *chunk = &work->forest->chunks[index];
    CLEANUP(mem_free_at) Scratch *scratch = mem_alloc(sizeof *scratch);
    Climb climb = {.products = work->products, .mate = SLOPE_MATE};
    Status status = OK;
    forest_walk_init(&climb.walk, work->forest);
    for (size_t i = 0; i < chunk->positions && status == OK; i++) {
        forest_walk_to(&climb.walk, index, i);
        status = climb_position(&climb, work->kind, scratch, &work->parts[index]);
    }
    forest_walk_free(&climb.walk);
    TRY(status);
    return forest_trim(work->forest, chunk);
}

Status forest_slope(const Forest *forest, const double *coefficients, SlopeKind kind,
                    DistPool *pool, Slope *out) {
    const size_t terms = forest->terms, chunks = forest->chunk_count;
    size_t positions = 0;
    Sums *products = mem_alloc(forest_rows(forest) * sizeof *products);
    Work work = {forest, products, kind, slope_parts_new(chunks, terms)};
    for (size_t i = 0; i < forest_rows(forest); i++) {
        const double factor = forest_row_factor(forest, i);
        const size_t count = i % forest->counts;
        products[i] = forest->is_tapered ? (Sums){coefficients[2 * count] * factor,
                                                  coefficients[2 * count + 1] * factor}
                                         : (Sums){coefficients[count] * factor, 0};
    }
    for (size_t i = 0; i < chunks; i++)
        positions += forest->chunks[i].positions;
    const Status status = dist_pool_run(pool, chunks, climb_chunk, &work);
    slope_parts_sum(work.parts, chunks, terms, positions, out);
    free(products);
    return status;
}

static Status slope_of_self(const void *self, size_t part, const double *coefficients,
                            SlopeKind kind, DistPool *pool, Slope *out) {
    (void)part;
    return forest_slope(self, coefficients, kind, pool, out);
}

SlopeSource forest_slope_source(const Forest *forest) {
    return (SlopeSource){slope_of_self, forest, forest->terms, 1};
}
