// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/forest.h"

#include "base/mem.h"
#include "fitness/forest_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef int16_t Narrow __attribute__((vector_size(FOREST_LANES * sizeof(int16_t))));
typedef int32_t Wide __attribute__((vector_size(FOREST_LANES * sizeof(int32_t))));

static inline uint32_t narrow_greater(Narrow a, Narrow b) {
#if defined(__AVX512BW__)
    return _mm512_cmpgt_epi16_mask((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    const Narrow greater = a > b;
    __m256i halves[2];
    memcpy(halves, &greater, sizeof halves);
    // Packing works on quarters: put them back in order before the bits are taken.
    const __m256i bytes = _mm256_packs_epi16(halves[0], halves[1]);
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, 0xD8));
#else
    uint32_t bits = 0;
    for (int i = 0; i < FOREST_LANES; i++)
        bits |= (uint32_t)(a[i] > b[i]) << i;
    return bits;
#endif
}

static inline uint32_t wide_greater(Wide a, Wide b) {
    uint32_t bits = 0;
#if defined(__AVX512F__)
    __m512i x[2], y[2];
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    bits = _mm512_cmpgt_epi32_mask(x[0], y[0]) | (uint32_t)_mm512_cmpgt_epi32_mask(x[1], y[1])
                                                     << 16;
#elif defined(__AVX2__)
    const Wide greater = a > b;
    __m256 quarters[4];
    memcpy(quarters, &greater, sizeof quarters);
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)_mm256_movemask_ps(quarters[i]) << 8 * i;
#else
    for (int i = 0; i < FOREST_LANES; i++)
        bits |= (uint32_t)(a[i] > b[i]) << i;
#endif
    return bits;
}

#define LANES   Narrow
#define NAME(x) narrow_##x
#define MATE    FOREST_MATE
#define GREATER narrow_greater
#include "fitness/forest_kernel.inc"
#undef LANES
#undef NAME
#undef MATE
#undef GREATER

#define LANES   Wide
#define NAME(x) wide_##x
#define MATE    FOREST_MATE_WIDE
#define GREATER wide_greater
#include "fitness/forest_kernel.inc"

// --- compiling ---

typedef struct Compilation {
    Forest *forest;
    const PlayedSet *set;
    const ForestConfig *config;
    _Atomic size_t bytes;
} Compilation;

static Status compile_chunk(void *context, size_t index, int worker) {
    (void)worker;
    Compilation *compilation = context;
    ForestChunk *chunk = &compilation->forest->chunks[index];
    const size_t first = index * FOREST_CHUNK, left = compilation->set->count - first;
    const Status status =
        forest_compile_chunk(chunk, compilation->set->items + first,
                             left < FOREST_CHUNK ? left : FOREST_CHUNK, compilation->config);
    const size_t bytes = chunk->count * sizeof *chunk->words;
    const size_t all = atomic_fetch_add(&compilation->bytes, bytes) + bytes;
    const size_t most = compilation->config->max_bytes;
    if (status == OK && most > 0 && all > most)
        return error_set(ERR_LIMIT,
                         "the trees take more than %zu MB: lower the depth of "
                         "quiescence, take fewer positions, or allow more memory",
                         most >> 20);
    return status;
}

static void add_totals(Forest *forest) {
    ForestTotals *totals = &forest->totals;
    for (size_t i = 0; i < forest->chunk_count; i++) {
        const ForestChunk *chunk = &forest->chunks[i];
        totals->positions += chunk->positions;
        totals->moves += chunk->moves;
        totals->nodes += chunk->nodes;
        totals->differences += chunk->differences;
        totals->bytes += chunk->count * sizeof *chunk->words;
        for (size_t j = 0; j < chunk->positions; j++)
            totals->wide += chunk->places[j].is_wide;
    }
}

Status forest_compile(Forest **out, const PlayedSet *set, const ForestConfig *config,
                      DistPool *pool) {
    Forest *forest = mem_alloc_zero(1, sizeof *forest);
    forest->terms = config->family->coefficient_count;
    forest->limits = mem_alloc(forest->terms * sizeof *forest->limits);
    memcpy(forest->limits, config->limits, forest->terms * sizeof *forest->limits);
    forest->chunk_count = (set->count + FOREST_CHUNK - 1) / FOREST_CHUNK;
    forest->chunks = mem_alloc_zero(forest->chunk_count + 1, sizeof *forest->chunks);
    Compilation compilation = {.forest = forest, .set = set, .config = config};
    const Status status = dist_pool_run(pool, forest->chunk_count, compile_chunk, &compilation);
    add_totals(forest);
    if (status == OK)
        *out = forest;
    else
        forest_free(forest);
    return status;
}

void forest_free(Forest *forest) {
    if (forest == NULL)
        return;
    for (size_t i = 0; i < forest->chunk_count; i++)
        free(forest->chunks[i].words);
    free(forest->chunks);
    free(forest->limits);
    free(forest);
}

ForestTotals forest_totals(const Forest *forest) {
    return forest->totals;
}

// --- running ---

// Products of every coefficient with 1, 2, 4 ..., for the organisms of one batch.
typedef struct Tables {
    Narrow *narrow;
    Wide *wide;
} Tables;

typedef struct Judgement {
    const Forest *forest;
    const int32_t *coefficients;
    size_t organisms, batches;
    ForestTies ties;
    const bool *wanted; // NULL: all positions
    Tables *tables;     // one pair per batch
    _Atomic int64_t *hits;
    bool *marks; // of organism 0; NULL where only the hits are wanted
} Judgement;

static void fill_tables(const Judgement *judgement, size_t batch) {
    const Tables *tables = &judgement->tables[batch];
    const size_t terms = judgement->forest->terms, first = batch * FOREST_LANES;
    for (size_t term = 0; term < terms; term++)
        for (unsigned power = 0; power < FOREST_POWERS; power++) {
            Narrow *narrow = &tables->narrow[term * FOREST_POWERS + power];
            Wide *wide = &tables->wide[term * FOREST_POWERS + power];
            for (size_t lane = 0; lane < FOREST_LANES; lane++) {
                // Lanes without an organism repeat the first.
                const size_t organism = first + lane < judgement->organisms ? first + lane : first;
                const int64_t value =
                    judgement->coefficients[organism * terms + term] * (INT64_C(1) << power);
                // What does not fit 16 bits wraps: sums that fit come out right all the same.
                (*narrow)[lane] = (int16_t)value;
                (*wide)[lane] = (int32_t)value;
            }
        }
}

static Status judge_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Judgement *judgement = context;
    const size_t batch = index % judgement->batches, number = index / judgement->batches;
    const ForestChunk *chunk = &judgement->forest->chunks[number];
    const Tables *tables = &judgement->tables[batch];
    unsigned hits[FOREST_LANES] = {0};
    for (size_t i = 0; i < chunk->positions; i++) {
        const ForestPlace *place = &chunk->places[i];
        if (judgement->wanted != NULL && !judgement->wanted[number * FOREST_CHUNK + i])
            continue;
        const uint16_t *start = chunk->words + place->start, *end = chunk->words + place->end;
        uint32_t chosen = place->is_wide
                              ? wide_chosen(start, end, tables->wide, judgement->ties)
                              : narrow_chosen(start, end, tables->narrow, judgement->ties);
        if (judgement->marks != NULL)
            judgement->marks[number * FOREST_CHUNK + i] = chosen & 1;
        for (; chosen != 0; chosen &= chosen - 1)
            hits[__builtin_ctz(chosen)]++;
    }
    const size_t first = batch * FOREST_LANES;
    for (size_t lane = 0; lane < FOREST_LANES && first + lane < judgement->organisms; lane++)
        atomic_fetch_add_explicit(&judgement->hits[first + lane], hits[lane], memory_order_relaxed);
    return OK;
}

static Status check_limits(const Forest *forest, const int32_t *coefficients, size_t organisms) {
    for (size_t i = 0; i < organisms; i++)
        for (size_t term = 0; term < forest->terms; term++) {
            const int32_t value = coefficients[i * forest->terms + term];
            if (value > forest->limits[term] || value < -forest->limits[term])
                return error_set(ERR_ARG,
                                 "coefficient %zu is %d, beyond the %d the forest was "
                                 "compiled for",
                                 term, value, forest->limits[term]);
        }
    return OK;
}

static Status judge(const Forest *forest, const bool *wanted, const int32_t *coefficients,
                    size_t organisms, ForestTies ties, DistPool *pool, int64_t *hits, bool *marks) {
    Status status = check_limits(forest, coefficients, organisms);
    if (status != OK)
        return status;
    const size_t rows = forest->terms * FOREST_POWERS;
    Judgement judgement = {.forest = forest,
                           .coefficients = coefficients,
                           .organisms = organisms,
                           .batches = (organisms + FOREST_LANES - 1) / FOREST_LANES,
                           .ties = ties,
                           .wanted = wanted,
                           .marks = marks};
    judgement.hits = mem_alloc_zero(organisms + 1, sizeof *judgement.hits);
    judgement.tables = mem_alloc_zero(judgement.batches + 1, sizeof *judgement.tables);
    char *memory = aligned_alloc(sizeof(Wide), (judgement.batches + 1) * rows *
                                                   (sizeof(Narrow) + sizeof(Wide)) * 2);
    status = memory == NULL ? error_set(ERR_LIMIT, "no memory for %zu organisms", organisms) : OK;
    for (size_t i = 0; i < judgement.batches && status == OK; i++) {
        judgement.tables[i].wide = (Wide *)memory + i * rows;
        judgement.tables[i].narrow =
            (Narrow *)((Wide *)memory + judgement.batches * rows) + i * rows;
        fill_tables(&judgement, i);
    }
    if (status == OK)
        status =
            dist_pool_run(pool, forest->chunk_count * judgement.batches, judge_chunk, &judgement);
    for (size_t i = 0; i < organisms; i++)
        hits[i] = judgement.hits[i];
    free(memory);
    free(judgement.tables);
    free(judgement.hits);
    return status;
}

Status forest_hits(const Forest *forest, const int32_t *coefficients, size_t organisms,
                   ForestTies ties, DistPool *pool, int64_t *hits) {
    return judge(forest, NULL, coefficients, organisms, ties, pool, hits, NULL);
}

Status forest_hits_among(const Forest *forest, const bool *wanted, const int32_t *coefficients,
                         size_t organisms, ForestTies ties, DistPool *pool, int64_t *hits) {
    return judge(forest, wanted, coefficients, organisms, ties, pool, hits, NULL);
}

Status forest_marks(const Forest *forest, const int32_t *coefficients, ForestTies ties,
                    DistPool *pool, bool *marks) {
    int64_t hits;
    return judge(forest, NULL, coefficients, 1, ties, pool, &hits, marks);
}
