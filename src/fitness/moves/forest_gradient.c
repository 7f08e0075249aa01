// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_gradient.h"

#include "base/mem.h"
#include "fitness/moves/forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The nodes from a first move down to the leaf that decides its score.
typedef struct Line {
    const uint16_t *nodes[FOREST_LEVELS];
    size_t count;
    bool is_mate; // then the score depends on no coefficient
} Line;

// A row of the table of products, and what rows add up to; the second is a tapered family's.
typedef struct Sums {
    double middlegame, endgame;
} Sums;

typedef struct Climb {
    const Forest *forest;
    const Sums *products; // coefficients times 1, 2, 4 ...
    double mate;
    const uint16_t *path[FOREST_LEVELS];
} Climb;

// How much the two sums count in a node.
static Sums shares_of(const Forest *forest, const uint16_t *node) {
    const double scale = forest->scale;
    return forest->is_tapered ? (Sums){node[5] / scale, node[6] / scale} : (Sums){1, 0};
}

static Sums sums_of(const Climb *climb, const uint16_t *node, Sums sums) {
    const uint16_t *row = node + forest_header(climb->forest);
    const uint16_t *subtracted = row + node[3], *end = subtracted + node[4];
    for (; row < end; row++) {
        const double sign = row < subtracted ? 1 : -1;
        sums.middlegame += sign * climb->products[*row].middlegame;
        sums.endgame += sign * climb->products[*row].endgame;
    }
    return sums;
}

static void keep_path(const Climb *climb, size_t depth, bool is_mate, Line *line) {
    memcpy(line->nodes, climb->path, depth * sizeof *line->nodes);
    line->count = depth;
    line->is_mate = is_mate;
}

// The score of a node as the chooser sees it, and the line to the leaf it comes from.
static double worth(Climb *climb, const uint16_t *node, Sums parent, size_t depth, double low,
                    double high, Line *line) {
    const bool own = node[2] & FLAG_OWN;
    climb->path[depth++] = node;
    if (node[2] & FLAG_MATE) {
        keep_path(climb, depth, true, line);
        return own ? -climb->mate : climb->mate;
    }
    const Sums sums = sums_of(climb, node, parent), shares = shares_of(climb->forest, node);
    const uint16_t *child = node + forest_header(climb->forest) + node[3] + node[4];
    const uint16_t *end = node + forest_tree_size(node);
    double best = own ? -HUGE_VAL : HUGE_VAL;
    if ((node[2] & FLAG_NO_STAND) == 0) {
        best = sums.middlegame * shares.middlegame + sums.endgame * shares.endgame;
        keep_path(climb, depth, false, line);
    }
    for (; child < end; child += forest_tree_size(child)) {
        low = own && best > low ? best : low;
        high = !own && best < high ? best : high;
        if (low >= high)
            break;
        Line below;
        const double value = worth(climb, child, sums, depth, low, high, &below);
        if (own ? value > best : value < best) {
            best = value;
            *line = below;
        }
    }
    return best;
}

// Adds `times` the counts of a line's leaf, less what all moves share, to the gradient.
static void add_line(const Forest *forest, const Line *line, double times, double *gradient) {
    if (line->is_mate)
        return;
    const Sums shares = shares_of(forest, line->nodes[line->count - 1]);
    for (size_t i = 0; i < line->count; i++) {
        const uint16_t *node = line->nodes[i], *row = node + forest_header(forest);
        const uint16_t *subtracted = row + node[3], *end = subtracted + node[4];
        for (; row < end; row++) {
            const double size = times * (double)(1u << *row % FOREST_POWERS);
            const double change = row < subtracted ? size : -size;
            const size_t count = *row / FOREST_POWERS;
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

static void climb_position(const Work *work, const uint16_t *tree, const uint16_t *end,
                           Scratch *scratch, SlopePart *part) {
    Climb climb = {.forest = work->forest, .products = work->products, .mate = SLOPE_MATE};
    size_t count = 0;
    for (; tree < end; tree += forest_tree_size(tree), count++)
        scratch->scores[count] =
            worth(&climb, tree, (Sums){0, 0}, 0, -HUGE_VAL, HUGE_VAL, &scratch->lines[count]);
    slope_add_position(part, scratch->scores, count, work->kind);
    for (size_t i = 0; i < count; i++)
        if (fabs(scratch->scores[i]) > 1e-9)
            add_line(work->forest, &scratch->lines[i], scratch->scores[i], part->gradient);
}

static Status climb_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Work *work = context;
    const ForestChunk *chunk = &work->forest->chunks[index];
    Scratch *scratch = mem_alloc(sizeof *scratch);
    for (size_t i = 0; i < chunk->positions; i++)
        climb_position(work, chunk->words + chunk->places[i].start,
                       chunk->words + chunk->places[i].end, scratch, &work->parts[index]);
    free(scratch);
    return OK;
}

Status forest_slope(const Forest *forest, const double *coefficients, SlopeKind kind,
                    DistPool *pool, Slope *out) {
    const size_t terms = forest->terms, chunks = forest->chunk_count;
    Sums *products = mem_alloc(forest->counts * FOREST_POWERS * sizeof *products);
    Work work = {forest, products, kind, slope_parts_new(chunks, terms)};
    for (size_t i = 0; i < forest->counts * FOREST_POWERS; i++) {
        const double power = (double)(1u << i % FOREST_POWERS);
        const size_t count = i / FOREST_POWERS;
        products[i] = forest->is_tapered ? (Sums){coefficients[2 * count] * power,
                                                  coefficients[2 * count + 1] * power}
                                         : (Sums){coefficients[count] * power, 0};
    }
    const Status status = dist_pool_run(pool, chunks, climb_chunk, &work);
    slope_parts_sum(work.parts, chunks, terms, forest->totals.positions, out);
    free(products);
    return status;
}

static Status slope_of_self(const void *self, const double *coefficients, SlopeKind kind,
                            DistPool *pool, Slope *out) {
    return forest_slope(self, coefficients, kind, pool, out);
}

SlopeSource forest_slope_source(const Forest *forest) {
    return (SlopeSource){slope_of_self, forest, forest->terms};
}
