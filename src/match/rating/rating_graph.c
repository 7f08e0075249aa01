// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/rating_internal.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>

// Who scored against whom, each player's in a row: those of p are to[start[p]] to
// to[start[p + 1] - 1].
typedef struct Graph {
    size_t *start;
    uint32_t *to;
} Graph;

// An arrow from each player to those who took a whole or half a point of theirs, or the other way
// round, or both.
typedef enum Arrows { LOST_TO = 1, TOOK_FROM = 2, ANY = 3 } Arrows;

static unsigned arrows_of(const RatingResult *r, bool is_white) {
    bool gave = (is_white ? r->losses : r->wins) + r->draws > 0;
    bool took = (is_white ? r->wins : r->losses) + r->draws > 0;
    return (gave ? LOST_TO : 0U) | (took ? TOOK_FROM : 0U);
}

static Graph graph_create(const RatingResult *results, size_t count, size_t players, Arrows kind) {
    Graph graph = {mem_alloc_zero(players + 2, sizeof *graph.start),
                   mem_alloc(2 * count * sizeof *graph.to + 1)};
    for (size_t i = 0; i < count; i++) {
        graph.start[results[i].white + 2] += (arrows_of(&results[i], true) & kind) != 0;
        graph.start[results[i].black + 2] += (arrows_of(&results[i], false) & kind) != 0;
    }
    for (size_t p = 2; p < players + 2; p++)
        graph.start[p] += graph.start[p - 1];
    for (size_t i = 0; i < count; i++) {
        const RatingResult *r = &results[i];
        if ((arrows_of(r, true) & kind) != 0)
            graph.to[graph.start[r->white + 1]++] = r->black;
        if ((arrows_of(r, false) & kind) != 0)
            graph.to[graph.start[r->black + 1]++] = r->white;
    }
    return graph;
}

static void graph_free(Graph *graph) {
    free(graph->start);
    free(graph->to);
}

// Marks everybody whom arrows lead to from `first` and who is not marked yet; how many.
static size_t flood(const Graph *graph, uint32_t first, uint32_t mark, uint32_t *marks,
                    uint32_t *queue) {
    size_t end = 1;
    queue[0] = first;
    marks[first] = mark;
    for (size_t i = 0; i < end; i++)
        for (size_t k = graph->start[queue[i]]; k < graph->start[queue[i] + 1]; k++)
            if (marks[graph->to[k]] == RATING_NOBODY) {
                marks[graph->to[k]] = mark;
                queue[end++] = graph->to[k];
            }
    return end;
}

static void clear_marks(uint32_t *marks, size_t players) {
    for (size_t p = 0; p < players; p++)
        marks[p] = RATING_NOBODY;
}

typedef struct Group {
    size_t size;
    uint32_t first; // its player of the lowest number
} Group;

static int by_size(const void *a, const void *b) {
    const Group *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return x->first > y->first ? 1 : -1;
}

static Group *find_groups(const RatingResult *results, size_t count, size_t players,
                          RatingGroups *out, uint32_t *queue) {
    CLEANUP(graph_free) Graph graph = graph_create(results, count, players, ANY);
    Group *groups = mem_alloc(players * sizeof *groups + 1);
    clear_marks(out->group, players);
    for (uint32_t p = 0; p < players; p++)
        if (out->group[p] == RATING_NOBODY)
            groups[out->count++] = (Group){flood(&graph, p, 0, out->group, queue), p};
    qsort(groups, out->count, sizeof *groups, by_size);
    clear_marks(out->group, players);
    for (uint32_t g = 0; g < out->count; g++)
        flood(&graph, groups[g].first, g, out->group, queue);
    return groups;
}

// Ratings are bounded when everybody can be reached from everybody, losers to winners: it is enough
// to reach all from one, and that one from all.
static void find_unbounded(const RatingResult *results, size_t count, size_t players,
                           const Group *groups, RatingGroups *out, uint32_t *queue) {
    CLEANUP(mem_free_at) uint32_t *marks = mem_alloc(players * sizeof *marks + 1);
    for (int kind = LOST_TO; kind <= TOOK_FROM; kind++) {
        CLEANUP(graph_free) Graph graph = graph_create(results, count, players, (Arrows)kind);
        clear_marks(marks, players);
        for (uint32_t g = 0; g < out->count; g++)
            if (flood(&graph, groups[g].first, g, marks, queue) < groups[g].size)
                out->is_unbounded[g] = true;
    }
}

RatingGroups rating_groups_find(const RatingResult *results, size_t count, size_t players) {
    RatingGroups out = {.group = mem_alloc(players * sizeof *out.group + 1)};
    CLEANUP(mem_free_at) uint32_t *queue = mem_alloc(players * sizeof *queue + 1);
    CLEANUP(mem_free_at) Group *groups = find_groups(results, count, players, &out, queue);
    out.is_unbounded = mem_alloc_zero(out.count + 1, sizeof *out.is_unbounded);
    find_unbounded(results, count, players, groups, &out, queue);
    return out;
}

void rating_groups_free(RatingGroups *groups) {
    free(groups->group);
    free(groups->is_unbounded);
    *groups = (RatingGroups){0};
}
