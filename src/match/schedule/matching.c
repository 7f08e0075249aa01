// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/schedule/matching.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

struct Matching {
    const bool *edges;
    int n;
    int *mate;   // NONE: not matched; begins the memory of this and the next three, owned
    int *parent; // on the alternating tree
    int *base;   // of the blossom a vertex is in
    int *queue;
    bool *is_used, *is_gone, *in_blossom, *is_on_path; // likewise
};

Matching *matching_new(const bool *edges, int n) {
    Matching *matching = mem_alloc_zero(1, sizeof *matching);
    const size_t count = (size_t)n;
    int *numbers = mem_alloc_zero(4 * count, sizeof *numbers);
    bool *flags = mem_alloc_zero(4 * count, sizeof *flags);
    *matching = (Matching){.edges = edges,
                           .n = n,
                           .mate = numbers,
                           .parent = numbers + count,
                           .base = numbers + 2 * count,
                           .queue = numbers + 3 * count,
                           .is_used = flags,
                           .is_gone = flags + count,
                           .in_blossom = flags + 2 * count,
                           .is_on_path = flags + 3 * count};
    for (int i = 0; i < n; i++)
        matching->mate[i] = NONE;
    return matching;
}

void matching_free(Matching *matching) {
    if (matching == NULL)
        return;
    free(matching->mate);
    free(matching->is_used);
    free(matching);
}

// The base at which the ways of two vertices back to the root come together.
static int common_base(Matching *m, int a, int b) {
    memset(m->is_on_path, 0, (size_t)m->n * sizeof(bool));
    for (;;) {
        a = m->base[a];
        m->is_on_path[a] = true;
        if (m->mate[a] == NONE)
            break;
        a = m->parent[m->mate[a]];
    }
    for (;;) {
        b = m->base[b];
        if (m->is_on_path[b])
            return b;
        b = m->parent[m->mate[b]];
    }
}

static void mark_blossom(Matching *m, int from, int base, int child) {
    while (m->base[from] != base) {
        m->in_blossom[m->base[from]] = m->in_blossom[m->base[m->mate[from]]] = true;
        m->parent[from] = child;
        child = m->mate[from];
        from = m->parent[m->mate[from]];
    }
}

// Makes one vertex of the odd circle that the edge a-b closes.
static void shrink(Matching *m, int a, int b, int *queue_end) {
    int base = common_base(m, a, b);
    memset(m->in_blossom, 0, (size_t)m->n * sizeof(bool));
    mark_blossom(m, a, base, b);
    mark_blossom(m, b, base, a);
    for (int i = 0; i < m->n; i++) {
        if (m->is_gone[i] || !m->in_blossom[m->base[i]])
            continue;
        m->base[i] = base;
        if (!m->is_used[i]) {
            m->is_used[i] = true;
            m->queue[(*queue_end)++] = i;
        }
    }
}

// The free end of an augmenting path from `root`, or NONE.
static int find_path(Matching *m, int root) {
    int begin = 0, end = 0;
    for (int i = 0; i < m->n; i++) {
        m->is_used[i] = false;
        m->parent[i] = NONE;
        m->base[i] = i;
    }
    m->is_used[root] = true;
    m->queue[end++] = root;
    while (begin < end) {
        int at = m->queue[begin++];
        for (int to = 0; to < m->n; to++) {
            if (m->is_gone[to] || !m->edges[at * m->n + to] || m->base[at] == m->base[to] ||
                m->mate[at] == to)
                continue;
            if (to == root || (m->mate[to] != NONE && m->parent[m->mate[to]] != NONE)) {
                shrink(m, at, to, &end);
            } else if (m->parent[to] == NONE) {
                m->parent[to] = at;
                if (m->mate[to] == NONE)
                    return to;
                m->is_used[m->mate[to]] = true;
                m->queue[end++] = m->mate[to];
            }
        }
    }
    return NONE;
}

// Matches `root` too, if a path allows it.
static bool augment(Matching *m, int root) {
    int at = find_path(m, root);
    bool is_found = at != NONE;
    while (at != NONE) {
        int before = m->parent[at], next = m->mate[before];
        m->mate[at] = before;
        m->mate[before] = at;
        at = next;
    }
    return is_found;
}

bool matching_complete(Matching *matching) {
    bool is_complete = true;
    for (int i = 0; i < matching->n; i++)
        if (!matching->is_gone[i] && matching->mate[i] == NONE)
            is_complete = augment(matching, i) && is_complete;
    return is_complete;
}

bool matching_take(Matching *m, int a, int b) {
    int a_mate = m->mate[a], b_mate = m->mate[b];
    m->is_gone[a] = m->is_gone[b] = true;
    m->mate[a] = b;
    m->mate[b] = a;
    if (a_mate == b)
        return true;
    m->mate[a_mate] = m->mate[b_mate] = NONE;
    if (augment(m, a_mate))
        return true;
    m->is_gone[a] = m->is_gone[b] = false;
    m->mate[a] = a_mate;
    m->mate[b] = b_mate;
    m->mate[a_mate] = a;
    m->mate[b_mate] = b;
    return false;
}
