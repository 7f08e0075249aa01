// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/leaves_internal.h"

#include "base/mem.h"
#include "eval/pawn_cache.h"
#include "fitness/moves/forest_plain.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Search {
    Leaves *leaves; // NULL where hits alone are counted
    const PlayedSet *set;
    const LeavesConfig *config;
    int coefficients[COEFFICIENTS_MAX];
    PawnCache **caches; // owned: one per thread
    size_t threads;
    _Atomic size_t bytes;
    _Atomic uint64_t hits;
} Search;

static void search_init(Search *search, const PlayedSet *set, const LeavesConfig *config,
                        const int32_t *coefficients, const DistPool *pool) {
    *search = (Search){.set = set, .config = config, .threads = (size_t)dist_pool_threads(pool)};
    search->caches = mem_alloc(search->threads * sizeof *search->caches);
    for (size_t i = 0; i < config->family->coefficient_count; i++)
        search->coefficients[i] = coefficients[i];
    for (size_t i = 0; i < search->threads; i++)
        search->caches[i] = pawn_cache_create();
}

static void search_free(Search *search) {
    for (size_t i = 0; i < search->threads; i++)
        pawn_cache_destroy(search->caches[i]);
    free(search->caches);
}

static size_t chunks_of(const PlayedSet *set) {
    return (set->count + LEAF_CHUNK - 1) / LEAF_CHUNK;
}

// What one chunk is searched with.
typedef struct Finder {
    const Search *search;
    PawnCache *cache;
    LeafChunk *chunk;
    Trace root, base;
    int sign; // counts are those of White; +1 when White chooses
    ForestScores scores;
    // Of the leaf of each move.
    LeafKind kinds[MOVES_MAX];
    Taper tapers[MOVES_MAX];
    Trace traces[MOVES_MAX];
} Finder;

// Counts less others', and shares, of a leaf.
static void put_differences(Finder *finder, LeafKind kind, Taper taper, const Trace *counts,
                            const Trace *less) {
    const size_t most = finder->search->config->family->feature_count;
    LeafChunk *chunk = finder->chunk;
    chunk->words =
        mem_grow(chunk->words, &chunk->capacity,
                 chunk->count + LEAF_HEADER + 2 * (most + LEAF_GROUP), sizeof *chunk->words);
    int16_t *leaf = chunk->words + chunk->count, *groups = leaf + LEAF_HEADER;
    size_t count = 0;
    for (size_t i = 0; i < most && kind == LEAF_SCORE; i++) {
        const int difference = finder->sign * (counts->counts[i] - less->counts[i]);
        if (difference == 0)
            continue;
        int16_t *group = groups + count / LEAF_GROUP * LEAF_GROUP * 2;
        if (count % LEAF_GROUP == 0)
            memset(group, 0, 2 * LEAF_GROUP * sizeof *group);
        group[count % LEAF_GROUP] = (int16_t)i;
        group[LEAF_GROUP + count++ % LEAF_GROUP] = (int16_t)difference;
    }
    leaf[0] = (int16_t)kind;
    leaf[1] = (int16_t)((count + LEAF_GROUP - 1) / LEAF_GROUP);
    leaf[2] = (int16_t)taper.middlegame;
    leaf[3] = (int16_t)taper.endgame;
    chunk->totals.differences += count;
    chunk->count = (size_t)(leaf_end(leaf) - chunk->words);
}

// The whole of a plain family is one sum.
static Taper shares_of(const Family *family, const Position *pos) {
    return family->taper == NULL ? (Taper){1, 0} : family->taper(pos);
}

static void trace_leaf(Finder *finder, const Position *pos, size_t place) {
    const Family *family = finder->search->config->family;
    const ForestLine *line = &finder->scores.lines[place];
    const LeafKind kind = line->end != END_MATE              ? LEAF_SCORE
                          : finder->scores.scores[place] > 0 ? LEAF_WON
                                                             : LEAF_LOST;
    Trace *trace = &finder->traces[place];
    Position end = *pos;
    Undo undo;
    position_make(&end, finder->scores.moves[place], &undo);
    for (size_t i = 0; i < line->count; i++)
        position_make(&end, line->moves[i], &undo);
    // A draw is 0 whatever the weights, so it has no counts.
    if (line->end == END_STALEMATE)
        memset(trace, 0, sizeof *trace);
    else if (kind == LEAF_SCORE)
        family_trace(family, &end, trace);
    finder->kinds[place] = kind;
    finder->tapers[place] = shares_of(family, &end);
}

// Of each count what more than half of the moves have, where there is such a number, else any.
// (Boyer and Moore's vote.)
static void find_base(Finder *finder) {
    const size_t most = finder->search->config->family->feature_count;
    int16_t votes[COEFFICIENTS_MAX] = {0}, *base = finder->base.counts;
    memcpy(base, finder->root.counts, most * sizeof *base);
    for (size_t place = 0; place < finder->scores.count; place++) {
        const int16_t *counts = finder->traces[place].counts;
        for (size_t i = 0; i < most && finder->kinds[place] == LEAF_SCORE; i++) {
            const bool is_new = votes[i] == 0, is_same = base[i] == counts[i];
            base[i] = is_new ? counts[i] : base[i];
            votes[i] = (int16_t)(votes[i] + (is_new || is_same ? 1 : -1));
        }
    }
}

// How many groups the differences of a move's leaf make.
static size_t groups_of(const Finder *finder, size_t place) {
    const size_t most = finder->search->config->family->feature_count;
    const int16_t *counts = finder->traces[place].counts, *base = finder->base.counts;
    int16_t differences = 0;
    for (size_t i = 0; i < most && finder->kinds[place] == LEAF_SCORE; i++)
        differences = (int16_t)(differences + (counts[i] != base[i]));
    return ((size_t)differences + LEAF_GROUP - 1) / LEAF_GROUP;
}

static void put_leaf(Finder *finder, size_t place) {
    put_differences(finder, finder->kinds[place], finder->tapers[place], &finder->traces[place],
                    &finder->base);
    finder->chunk->totals.moves++;
}

// Leaves of as many groups stand together, so that loops over them end alike.
static void put_others(Finder *finder, size_t played) {
    size_t groups[MOVES_MAX], most = 0;
    for (size_t i = 0; i < finder->scores.count; i++) {
        groups[i] = groups_of(finder, i);
        most = groups[i] > most ? groups[i] : most;
    }
    for (size_t number = 0; number <= most; number++)
        for (size_t i = 0; i < finder->scores.count; i++)
            if (i != played && groups[i] == number)
                put_leaf(finder, i);
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
    for (size_t i = 0; i < finder->scores.count; i++)
        trace_leaf(finder, &item->pos, i);
    find_base(finder);
    static const Trace nothing;
    put_differences(finder, LEAF_SCORE, (Taper){0, 0}, &finder->base,
                    config->family->taper == NULL ? &finder->root : &nothing);
    put_differences(finder, LEAF_SCORE, (Taper){0, 0}, &finder->root, &finder->base);
    put_leaf(finder, played);
    put_others(finder, played);
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
    const size_t first = index * LEAF_CHUNK, left = search->set->count - first;
    for (size_t i = 0; i < (left < LEAF_CHUNK ? left : LEAF_CHUNK); i++)
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

// None is without a chunk.
static size_t count_parts(const Leaves *leaves, size_t positions, size_t least) {
    const size_t parts = least == 0 ? 1 : positions / least;
    return parts < 1 ? 1 : parts > leaves->chunk_count ? leaves->chunk_count : parts;
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
    Leaves *leaves = mem_alloc_zero(1, sizeof *leaves);
    leaves->terms = config->family->coefficient_count;
    leaves->is_tapered = config->family->taper != NULL;
    leaves->scale = leaves->is_tapered ? config->family->scale : 1;
    leaves->chunk_count = chunks_of(set);
    leaves->chunks = mem_alloc_zero(leaves->chunk_count + 1, sizeof *leaves->chunks);
    leaves->parts = count_parts(leaves, set->count, config->step_positions);
    CLEANUP(search_free) Search search;
    search_init(&search, set, config, coefficients, pool);
    search.leaves = leaves;
    const Status status = dist_pool_run(pool, leaves->chunk_count, find_chunk, &search);
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

// --- hits alone ---

static Status count_chunk(void *context, size_t index, int worker) {
    Search *search = context;
    const size_t first = index * LEAF_CHUNK, left = search->set->count - first;
    uint64_t hits = 0;
    for (size_t i = 0; i < (left < LEAF_CHUNK ? left : LEAF_CHUNK); i++)
        hits += forest_plain_chooses(&search->set->items[first + i], search->config->family,
                                     search->coefficients, &search->config->rules,
                                     search->caches[worker]);
    atomic_fetch_add(&search->hits, hits);
    return OK;
}

Status leaves_count_hits(const PlayedSet *set, const LeavesConfig *config,
                         const int32_t *coefficients, DistPool *pool, uint64_t *hits) {
    CLEANUP(search_free) Search search;
    search_init(&search, set, config, coefficients, pool);
    const Status status = dist_pool_run(pool, chunks_of(set), count_chunk, &search);
    *hits = search.hits;
    return status;
}
