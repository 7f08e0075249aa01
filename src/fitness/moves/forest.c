// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest.h"

#include "base/mem.h"
#include "fitness/moves/forest_internal.h"

#include <assert.h>
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

// What the kernel asks of its sums, where they are the lanes themselves.
#define PLAIN_SUMS(name, Lanes)                                                                    \
    static inline Lanes name##_plus(Lanes sum, Lanes row) {                                        \
        return sum + row;                                                                          \
    }                                                                                              \
    static inline Lanes name##_minus(Lanes sum, Lanes row) {                                       \
        return sum - row;                                                                          \
    }                                                                                              \
    static inline Lanes name##_value(const uint16_t *node, Lanes sum) {                            \
        (void)node;                                                                                \
        return sum;                                                                                \
    }
PLAIN_SUMS(narrow, Narrow)
PLAIN_SUMS(wide, Wide)

// The two sums of a tapered family.
typedef struct Tapered {
    Wide middlegame, endgame;
} Tapered;

static inline Tapered tapered_plus(Tapered sums, Tapered row) {
    return (Tapered){sums.middlegame + row.middlegame, sums.endgame + row.endgame};
}
static inline Tapered tapered_minus(Tapered sums, Tapered row) {
    return (Tapered){sums.middlegame - row.middlegame, sums.endgame - row.endgame};
}
static inline Wide tapered_value(const uint16_t *node, Tapered sums) {
    return sums.middlegame * (int32_t)node[5] + sums.endgame * (int32_t)node[6];
}

#define HEADER  FOREST_HEADER
#define LANES   Narrow
#define SUMS    Narrow
#define NAME(x) narrow_##x
#define MATE    FOREST_MATE
#define GREATER narrow_greater
#include "fitness/moves/forest_kernel.inc"
#undef LANES
#undef SUMS
#undef NAME
#undef MATE
#undef GREATER

#define LANES   Wide
#define SUMS    Wide
#define NAME(x) wide_##x
#define MATE    FOREST_MATE_WIDE
#define GREATER wide_greater
#include "fitness/moves/forest_kernel.inc"
#undef HEADER
#undef SUMS
#undef NAME

#define HEADER  FOREST_TAPERED_HEADER
#define SUMS    Tapered
#define NAME(x) tapered_##x
#include "fitness/moves/forest_kernel.inc"

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
        forest_compile_chunk(chunk, compilation->forest->kind, compilation->set->items + first,
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

void forest_add_totals(Forest *forest) {
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

Forest *forest_new(ForestKind kind, size_t positions, const ForestConfig *config) {
    Forest *forest = mem_alloc_zero(1, sizeof *forest);
    forest->kind = kind;
    forest->terms = config->family->coefficient_count;
    forest->counts = config->family->feature_count;
    forest->is_tapered = config->family->taper != NULL;
    forest->scale = config->family->scale;
    forest->limits = mem_alloc(forest->terms * sizeof *forest->limits);
    memcpy(forest->limits, config->limits, forest->terms * sizeof *forest->limits);
    forest->chunk_count = (positions + FOREST_CHUNK - 1) / FOREST_CHUNK;
    forest->chunks = mem_alloc_zero(forest->chunk_count + 1, sizeof *forest->chunks);
    return forest;
}

Status forest_compile_kind(Forest **out, ForestKind kind, const PlayedSet *set,
                           const ForestConfig *config, DistPool *pool) {
    CLEANUP(forest_free_at) Forest *forest = forest_new(kind, set->count, config);
    Compilation compilation = {.forest = forest, .set = set, .config = config};
    TRY(dist_pool_run(pool, forest->chunk_count, compile_chunk, &compilation));
    forest_add_totals(forest);
    assert(forest_is_valid(forest));
    *out = TAKE(forest);
    return OK;
}

Status forest_compile(Forest **out, const PlayedSet *set, const ForestConfig *config,
                      DistPool *pool) {
    return forest_compile_kind(out, FOREST_CHOICES, set, config, pool);
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
    Tapered *tapered; // instead of the others
} Tables;

typedef struct Judgement {
    const Forest *forest;
    const int32_t *coefficients;
    size_t organisms, batches;
    ForestTies ties;
    const bool *wanted;    // NULL: all positions
    const int32_t *labels; // for errors
    Tables *tables;        // one pair per batch
    int64_t *sums;         // of each worker, for each lane of each batch: hits or errors
    // Of organism 0, position by position; NULL where only the sums are wanted.
    bool *marks;
    int32_t *values;
} Judgement;

static Wide products(const Judgement *judgement, size_t batch, size_t term, unsigned power) {
    const size_t terms = judgement->forest->terms, first = batch * FOREST_LANES;
    Wide row;
    for (size_t lane = 0; lane < FOREST_LANES; lane++) {
        // Lanes without an organism repeat the first.
        const size_t organism = first + lane < judgement->organisms ? first + lane : first;
        row[lane] =
            (int32_t)(judgement->coefficients[organism * terms + term] * (INT64_C(1) << power));
    }
    return row;
}

static void fill_tables(const Judgement *judgement, size_t batch) {
    const Tables *tables = &judgement->tables[batch];
    for (size_t i = 0; i < judgement->forest->counts * FOREST_POWERS; i++) {
        const size_t count = i / FOREST_POWERS;
        const unsigned power = i % FOREST_POWERS;
        if (judgement->forest->is_tapered) {
            tables->tapered[i] = (Tapered){products(judgement, batch, 2 * count, power),
                                           products(judgement, batch, 2 * count + 1, power)};
            continue;
        }
        tables->wide[i] = products(judgement, batch, count, power);
        // What does not fit 16 bits wraps: sums that fit come out right all the same.
        tables->narrow[i] = __builtin_convertvector(tables->wide[i], Narrow);
    }
}

static uint32_t chosen_in(const Judgement *judgement, const ForestPlace *place,
                          const uint16_t *words, const Tables *tables) {
    const uint16_t *start = words + place->start, *end = words + place->end;
    if (judgement->forest->is_tapered)
        return tapered_chosen(start, end, tables->tapered, judgement->ties);
    return place->is_wide ? wide_chosen(start, end, tables->wide, judgement->ties)
                          : narrow_chosen(start, end, tables->narrow, judgement->ties);
}

static void count_hits(const Judgement *judgement, const ForestPlace *place, const uint16_t *words,
                       const Tables *tables, size_t position, int64_t *sums) {
    uint32_t chosen = chosen_in(judgement, place, words, tables);
    if (judgement->marks != NULL)
        judgement->marks[position] = chosen & 1;
    for (; chosen != 0; chosen &= chosen - 1)
        sums[__builtin_ctz(chosen)]++;
}

static Wide values_of(const ForestPlace *place, const uint16_t *words, const Tables *tables) {
    const uint16_t *tree = words + place->start;
    if (!place->is_wide)
        return __builtin_convertvector(narrow_worth(tree, narrow_all(0), tables->narrow,
                                                    narrow_all(-FOREST_MATE),
                                                    narrow_all(FOREST_MATE)),
                                       Wide);
    const Wide mate = wide_all(FOREST_MATE_WIDE);
    const Wide values = wide_worth(tree, wide_all(0), tables->wide, -mate, mate);
    const Wide mates = values == mate, mated = values == -mate;
    return (values & ~(mates | mated)) | (wide_all(FOREST_MATE) & mates) |
           (wide_all(-FOREST_MATE) & mated);
}

static void add_errors(const Judgement *judgement, const ForestPlace *place, const uint16_t *words,
                       const Tables *tables, size_t position, int64_t *sums) {
    const Wide values = values_of(place, words, tables);
    if (judgement->values != NULL)
        judgement->values[position] = values[0];
    if (judgement->labels == NULL)
        return;
    const Wide errors = values - wide_all(judgement->labels[position]);
    const Wide negative = errors < 0, sizes = (errors ^ negative) - negative;
    for (size_t lane = 0; lane < FOREST_LANES; lane++)
        sums[lane] += sizes[lane];
}

// Judges a batch on a few positions, and adds to its sums.
static void judge_block(const Judgement *judgement, size_t number, size_t from, size_t to,
                        size_t batch, int64_t *sums) {
    const ForestChunk *chunk = &judgement->forest->chunks[number];
    const Tables *tables = &judgement->tables[batch];
    sums += batch * FOREST_LANES;
    for (size_t i = from; i < to; i++) {
        const size_t position = number * FOREST_CHUNK + i;
        if (judgement->wanted != NULL && !judgement->wanted[position])
            continue;
        if (judgement->forest->kind == FOREST_VALUES)
            add_errors(judgement, &chunk->places[i], chunk->words, tables, position, sums);
        else
            count_hits(judgement, &chunk->places[i], chunk->words, tables, position, sums);
    }
}

// All batches meet a few positions before the next ones come: their trees are in the cache then.
static Status judge_chunk(void *context, size_t number, int worker) {
    const Judgement *judgement = context;
    const size_t positions = judgement->forest->chunks[number].positions;
    int64_t *sums = judgement->sums + (size_t)worker * judgement->batches * FOREST_LANES;
    for (size_t from = 0; from < positions; from += FOREST_BLOCK) {
        const size_t to = from + FOREST_BLOCK < positions ? from + FOREST_BLOCK : positions;
        for (size_t batch = 0; batch < judgement->batches; batch++)
            judge_block(judgement, number, from, to, batch, sums);
    }
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

static Status run(const Judgement *judgement, DistPool *pool) {
    const size_t rows = judgement->forest->counts * FOREST_POWERS, batches = judgement->batches;
    // A pair of wide rows, or a wide and a narrow one.
    char *memory = aligned_alloc(sizeof(Wide), (batches + 1) * rows * sizeof(Tapered));
    if (memory == NULL)
        return error_set(ERR_LIMIT, "no memory for %zu organisms", judgement->organisms);
    for (size_t i = 0; i < batches; i++) {
        judgement->tables[i] =
            (Tables){.narrow = (Narrow *)((Wide *)memory + batches * rows) + i * rows,
                     .wide = (Wide *)memory + i * rows,
                     .tapered = (Tapered *)memory + i * rows};
        fill_tables(judgement, i);
    }
    const Status status =
        dist_pool_run(pool, judgement->forest->chunk_count, judge_chunk, (void *)judgement);
    free(memory);
    return status;
}

// Runs a judgement, of which the questions are filled in, and adds up what the workers found.
static Status judge(Judgement *judgement, DistPool *pool, int64_t *sums) {
    const size_t batches = (judgement->organisms + FOREST_LANES - 1) / FOREST_LANES;
    const size_t lanes = batches * FOREST_LANES, workers = (size_t)dist_pool_threads(pool);
    TRY(check_limits(judgement->forest, judgement->coefficients, judgement->organisms));
    judgement->batches = batches;
    CLEANUP(mem_free_at) int64_t *found = mem_alloc_zero(workers * lanes + 1, sizeof *found);
    CLEANUP(mem_free_at) Tables *tables = mem_alloc_zero(batches + 1, sizeof *tables);
    judgement->sums = found;
    judgement->tables = tables;
    TRY(run(judgement, pool));
    for (size_t i = 0; i < judgement->organisms; i++) {
        sums[i] = 0;
        for (size_t worker = 0; worker < workers; worker++)
            sums[i] += found[worker * lanes + i];
    }
    return OK;
}

Status forest_hits(const Forest *forest, const int32_t *coefficients, size_t organisms,
                   ForestTies ties, DistPool *pool, int64_t *hits) {
    return forest_hits_among(forest, NULL, coefficients, organisms, ties, pool, hits);
}

Status forest_hits_among(const Forest *forest, const bool *wanted, const int32_t *coefficients,
                         size_t organisms, ForestTies ties, DistPool *pool, int64_t *hits) {
    assert(forest->kind == FOREST_CHOICES);
    return judge(&(Judgement){.forest = forest,
                              .wanted = wanted,
                              .coefficients = coefficients,
                              .organisms = organisms,
                              .ties = ties},
                 pool, hits);
}

Status forest_marks(const Forest *forest, const int32_t *coefficients, ForestTies ties,
                    DistPool *pool, bool *marks) {
    int64_t hits;
    assert(forest->kind == FOREST_CHOICES);
    return judge(&(Judgement){.forest = forest,
                              .coefficients = coefficients,
                              .organisms = 1,
                              .ties = ties,
                              .marks = marks},
                 pool, &hits);
}

Status forest_errors(const Forest *forest, const bool *wanted, const int32_t *labels,
                     const int32_t *coefficients, size_t organisms, DistPool *pool,
                     int64_t *errors) {
    assert(forest->kind == FOREST_VALUES && !forest->is_tapered);
    return judge(&(Judgement){.forest = forest,
                              .wanted = wanted,
                              .labels = labels,
                              .coefficients = coefficients,
                              .organisms = organisms},
                 pool, errors);
}

Status forest_values(const Forest *forest, const int32_t *coefficients, DistPool *pool,
                     int32_t *values) {
    int64_t errors;
    assert(forest->kind == FOREST_VALUES && !forest->is_tapered);
    return judge(
        &(Judgement){
            .forest = forest, .coefficients = coefficients, .organisms = 1, .values = values},
        pool, &errors);
}
