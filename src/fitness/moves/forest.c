// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest.h"

#include "base/mem.h"
#include "base/simd.h"
#include "fitness/moves/forest_internal.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(SIMD_AVX2)
#include <immintrin.h>
#endif

typedef int16_t Narrow __attribute__((vector_size(FOREST_LANES * sizeof(int16_t))));
typedef int32_t Wide __attribute__((vector_size(FOREST_LANES * sizeof(int32_t))));
typedef uint16_t NarrowBits __attribute__((vector_size(sizeof(Narrow))));
typedef uint32_t WideBits __attribute__((vector_size(sizeof(Wide))));

static inline uint32_t narrow_greater(Narrow a, Narrow b) {
#if defined(SIMD_AVX512)
    return _mm512_cmpgt_epi16_mask((__m512i)a, (__m512i)b);
#elif defined(SIMD_AVX2)
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
#if defined(SIMD_AVX512)
    __m512i x[2], y[2];
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    bits = _mm512_cmpgt_epi32_mask(x[0], y[0]) | (uint32_t)_mm512_cmpgt_epi32_mask(x[1], y[1])
                                                     << 16;
#elif defined(SIMD_AVX2)
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

// What the kernel asks of its sums, where they are the lanes themselves. A node's score fits them,
// but what its differences add up to on the way need not: that may wrap around, which only unsigned
// numbers do by definition.
#define PLAIN_SUMS(name, Lanes, Bits)                                                              \
    static inline Lanes name##_plus(Lanes sum, Lanes row) {                                        \
        return (Lanes)((Bits)sum + (Bits)row);                                                     \
    }                                                                                              \
    static inline Lanes name##_value(const ForestNode *node, Lanes sum) {                          \
        (void)node;                                                                                \
        return sum;                                                                                \
    }
PLAIN_SUMS(narrow, Narrow, NarrowBits)
PLAIN_SUMS(wide, Wide, WideBits)

// The two sums of a tapered family.
typedef struct Tapered {
    Wide middlegame, endgame;
} Tapered;

static inline Tapered tapered_plus(Tapered sums, Tapered row) {
    return (Tapered){sums.middlegame + row.middlegame, sums.endgame + row.endgame};
}
static inline Wide tapered_value(const ForestNode *node, Tapered sums) {
    return sums.middlegame * (int32_t)node->shares[0] + sums.endgame * (int32_t)node->shares[1];
}

// A first move of the position, by its number in the order in which they are tried.
static inline uint32_t order_at(const ForestWalk *walk, unsigned number) {
    return forest_offset_at(walk->chunk->bytes + walk->place->order + number * sizeof(uint32_t));
}

// From now on that move is tried right after the played one; the others keep their order.
static inline void try_first(const ForestWalk *walk, unsigned number) {
    uint8_t *order = walk->chunk->bytes + walk->place->order;
    const uint32_t first = order_at(walk, number);
    memmove(order + 2 * sizeof first, order + sizeof first, (number - 1) * sizeof first);
    memcpy(order + sizeof first, &first, sizeof first);
}

// What decided a node is tried first from now on, where the order is nobody else's.
static inline void move_to_front(const ForestWalk *walk, uint32_t first, uint32_t child,
                                 uint32_t next) {
    uint8_t *bytes = walk->chunk->bytes, kept[128];
    const size_t length = next - child;
    if (child == first || length > sizeof kept || walk->forest->order != ORDER_STATIC)
        return;
    memcpy(kept, bytes + child, length);
    memmove(bytes + first + length, bytes + first, child - first);
    memcpy(bytes + first, kept, length);
}

static uint32_t wide_exceeds_own(ForestWalk *walk, uint32_t at, unsigned ply, Wide parent,
                                 const Wide *table, Wide threshold, uint32_t asked);
static uint32_t wide_exceeds_other(ForestWalk *walk, uint32_t at, unsigned ply, Wide parent,
                                   const Wide *table, Wide threshold, uint32_t asked);

// The same question about a node whose score may be beyond 16 bits, while those of its parent and
// the threshold are not.
[[gnu::noinline]] static uint32_t exceeds_widened(ForestWalk *walk, uint32_t at, unsigned ply,
                                                  Narrow parent, Narrow threshold, uint32_t asked,
                                                  bool own) {
    const Wide sums = __builtin_convertvector(parent, Wide);
    Wide bar = __builtin_convertvector(threshold, Wide);
    // A mate is beyond every score there, too.
    const int32_t further = FOREST_MATE_WIDE - FOREST_MATE;
    bar += ((bar > FOREST_NARROW) & further) - ((bar < -FOREST_NARROW) & further);
    return (own ? wide_exceeds_own : wide_exceeds_other)(walk, at, ply, sums, walk->wide, bar,
                                                         asked);
}

#define IS_TAPERED false
#define IS_NARROW  true
#define LANES      Narrow
#define SUMS       Narrow
#define NAME(x)    narrow_##x
#define MATE       FOREST_MATE
#define GREATER    narrow_greater
#include "fitness/moves/forest_kernel.inc"
#undef LANES
#undef IS_NARROW
#undef SUMS
#undef NAME
#undef MATE
#undef GREATER

#define IS_NARROW false
#define LANES     Wide
#define SUMS      Wide
#define NAME(x)   wide_##x
#define MATE      FOREST_MATE_WIDE
#define GREATER   wide_greater
#include "fitness/moves/forest_kernel.inc"
#undef IS_TAPERED
#undef SUMS
#undef NAME

#define IS_TAPERED true
#define SUMS       Tapered
#define NAME(x)    tapered_##x
#include "fitness/moves/forest_kernel.inc"

static int32_t *copy(const int32_t *numbers, size_t count) {
    int32_t *to = mem_alloc((count + 1) * sizeof *to);
    memcpy(to, numbers, count * sizeof *to);
    return to;
}

Forest *forest_new(ForestKind kind, const PlayedSet *set, const ForestConfig *config) {
    const Family *family = config->family;
    Forest *forest = mem_alloc(sizeof *forest);
    *forest = (Forest){.items = set->items,
                       .family = family,
                       .rules = config->rules,
                       .order = config->order,
                       .terms = family->coefficient_count,
                       .counts = family->feature_count,
                       .is_tapered = family->taper != NULL,
                       .kind = kind,
                       .limits = copy(config->limits, family->coefficient_count),
                       .guide = copy(config->guide, family->coefficient_count),
                       .usage = mem_alloc_zero(family->feature_count + 1, sizeof *forest->usage),
                       .max_bytes = config->max_bytes,
                       .chunk_count = (set->count + FOREST_CHUNK - 1) / FOREST_CHUNK,
                       .spill = config->folder == NULL ? NULL : forest_spill_new(config->folder),
                       .bytes = mem_alloc_zero(1, sizeof *forest->bytes),
                       .begun = mem_alloc_zero(1, sizeof *forest->begun)};
    forest->chunks = mem_alloc_zero(forest->chunk_count + 1, sizeof *forest->chunks);
    for (size_t i = 0; i < forest->chunk_count; i++) {
        const size_t left = set->count - i * FOREST_CHUNK;
        forest->chunks[i].positions = left < FOREST_CHUNK ? left : FOREST_CHUNK;
    }
    return forest;
}

void forest_free(Forest *forest) {
    if (forest == NULL)
        return;
    for (size_t i = 0; i < forest->chunk_count; i++)
        free(forest->chunks[i].bytes);
    free(forest->chunks);
    free(forest->limits);
    free(forest->guide);
    free(forest->usage);
    forest_spill_free(forest->spill);
    free(forest->bytes);
    free(forest->begun);
    free(forest);
}

ForestTotals forest_totals(const Forest *forest) {
    ForestTotals totals = {.bytes = atomic_load(forest->bytes)};
    for (size_t i = 0; i < forest->chunk_count; i++) {
        const ForestChunk *chunk = &forest->chunks[i];
        totals.positions += chunk->positions;
        totals.moves += chunk->moves;
        totals.nodes += chunk->nodes;
        totals.differences += chunk->differences;
        for (size_t j = 0; j < chunk->positions; j++)
            totals.wide += chunk->places[j].is_wide;
    }
    return totals;
}

// --- running ---

// Products of every coefficient with 1, -1, 2, -2 ..., for the organisms of one batch.
typedef struct Tables {
    Narrow *narrow;
    Wide *wide;
    Tapered *tapered; // instead of the others
} Tables;

typedef struct Judgement {
    const Forest *forest;
    const int32_t *coefficients;
    size_t organisms, batches;
    const uint32_t *lanes; // the organism of each lane of all batches
    ForestTies ties;
    const bool *wanted;    // NULL: all positions
    const int32_t *labels; // for errors
    Tables *tables;        // one pair per batch
    ForestWalk *walks;     // one per worker
    int64_t *sums;         // of each worker, for each lane of each batch: hits or errors
    // Of organism 0, position by position; NULL where only the sums are wanted.
    bool *marks;
    int32_t *values;
} Judgement;

// A coefficient of each organism of a batch.
static Wide coefficients_of(const Judgement *judgement, size_t batch, size_t term) {
    const size_t terms = judgement->forest->terms, first = batch * FOREST_LANES;
    Wide row;
    for (size_t lane = 0; lane < FOREST_LANES; lane++) {
        // Lanes without an organism repeat the first.
        const bool is_used = first + lane < judgement->organisms;
        const size_t organism = judgement->lanes[is_used ? first + lane : first];
        row[lane] = judgement->coefficients[organism * terms + term];
    }
    return row;
}

// What does not fit wraps: sums that fit come out right all the same.
static inline Wide times(Wide row, int factor) {
    return (Wide)((WideBits)row * (uint32_t)factor);
}

// The rows of the first counts are the coefficients themselves, all others multiples of these.
static Status fill_tables(void *context, size_t batch, int worker) {
    (void)worker;
    const Judgement *judgement = context;
    const Forest *forest = judgement->forest;
    const Tables *tables = &judgement->tables[batch];
    for (size_t i = 0; i < forest->counts; i++)
        if (forest->is_tapered)
            tables->tapered[i] = (Tapered){coefficients_of(judgement, batch, 2 * i),
                                           coefficients_of(judgement, batch, 2 * i + 1)};
        else
            tables->wide[i] = coefficients_of(judgement, batch, i);
    for (size_t i = 0; i < forest_rows(forest); i++) {
        const size_t count = i % forest->counts;
        const int factor = forest_row_factor(forest, i);
        if (forest->is_tapered) {
            const Tapered *once = &tables->tapered[count];
            tables->tapered[i] =
                (Tapered){times(once->middlegame, factor), times(once->endgame, factor)};
            continue;
        }
        tables->wide[i] = times(tables->wide[count], factor);
        tables->narrow[i] = __builtin_convertvector(tables->wide[i], Narrow);
    }
    return OK;
}

static uint32_t chosen_in(const Judgement *judgement, ForestWalk *walk, const Tables *tables) {
    if (judgement->forest->is_tapered)
        return tapered_chosen(walk, tables->tapered, judgement->ties);
    walk->wide = tables->wide;
    if (!walk->place->is_wide) {
        const uint32_t chosen = narrow_chosen(walk, tables->narrow, judgement->ties);
        // Unless scores were met that may not fit.
        if (!walk->place->is_wide)
            return chosen;
    }
    return wide_chosen(walk, tables->wide, judgement->ties);
}

static void count_hits(const Judgement *judgement, ForestWalk *walk, const Tables *tables,
                       size_t position, int64_t *sums) {
    uint32_t chosen = chosen_in(judgement, walk, tables);
    if (judgement->marks != NULL)
        judgement->marks[position] = chosen & 1;
    for (; chosen != 0; chosen &= chosen - 1)
        sums[__builtin_ctz(chosen)]++;
}

static Wide values_of(ForestWalk *walk, const Tables *tables) {
    const uint32_t tree = walk->place->root + 1;
    if (!walk->place->is_wide) {
        const Narrow values = narrow_worth(walk, tree, 0, true, narrow_all(0), tables->narrow,
                                           narrow_all(-FOREST_MATE), narrow_all(FOREST_MATE));
        if (!walk->place->is_wide)
            return __builtin_convertvector(values, Wide);
    }
    const Wide mate = wide_all(FOREST_MATE_WIDE), shown = wide_all(FOREST_MATE);
    const Wide values = wide_worth(walk, tree, 0, true, wide_all(0), tables->wide, -mate, mate);
    const Wide mates = values == mate, mated = values == -mate;
    return (shown & mates) | (-shown & mated) | (values & ~mates & ~mated);
}

static void add_errors(const Judgement *judgement, ForestWalk *walk, const Tables *tables,
                       size_t position, int64_t *sums) {
    const Wide values = values_of(walk, tables);
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
static Status judge_block(const Judgement *judgement, ForestWalk *walk, size_t number, size_t from,
                          size_t to, size_t batch, int64_t *sums) {
    const Tables *tables = &judgement->tables[batch];
    sums += batch * FOREST_LANES;
    for (size_t i = from; i < to; i++) {
        const size_t position = number * FOREST_CHUNK + i;
        if (judgement->wanted != NULL && !judgement->wanted[position])
            continue;
        forest_walk_to(walk, number, i);
        TRY(walk->status);
        if (judgement->forest->kind == FOREST_VALUES)
            add_errors(judgement, walk, tables, position, sums);
        else
            count_hits(judgement, walk, tables, position, sums);
        TRY(walk->status);
    }
    return OK;
}

// All batches meet a few positions before the next ones come: their trees are in the cache then.
static Status judge_chunk(void *context, size_t number, int worker) {
    const Judgement *judgement = context;
    ForestChunk *chunk = &judgement->forest->chunks[number];
    int64_t *sums = judgement->sums + (size_t)worker * judgement->batches * FOREST_LANES;
    for (size_t from = 0; from < chunk->positions; from += FOREST_BLOCK) {
        const size_t left = chunk->positions - from;
        const size_t to = from + (left < FOREST_BLOCK ? left : FOREST_BLOCK);
        for (size_t batch = 0; batch < judgement->batches; batch++)
            TRY(judge_block(judgement, &judgement->walks[worker], number, from, to, batch, sums));
    }
    return forest_trim(judgement->forest, chunk);
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
    const size_t rows = forest_rows(judgement->forest), batches = judgement->batches;
    // A pair of wide rows, or a wide and a narrow one.
    char *memory = aligned_alloc(sizeof(Wide), (batches + 1) * rows * sizeof(Tapered));
    if (memory == NULL)
        return error_set(ERR_LIMIT, "no memory for %zu organisms", judgement->organisms);
    for (size_t i = 0; i < batches; i++)
        judgement->tables[i] =
            (Tables){.narrow = (Narrow *)((Wide *)memory + batches * rows) + i * rows,
                     .wide = (Wide *)memory + i * rows,
                     .tapered = (Tapered *)memory + i * rows};
    Status status = dist_pool_run(pool, batches, fill_tables, (void *)judgement);
    if (status == OK)
        status =
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
    CLEANUP(mem_free_at)
    uint32_t *order =
        forest_share_lanes(judgement->forest, judgement->coefficients, judgement->organisms);
    judgement->lanes = order;
    CLEANUP(mem_free_at) int64_t *found = mem_alloc_zero(workers * lanes + 1, sizeof *found);
    CLEANUP(mem_free_at) Tables *tables = mem_alloc_zero(batches + 1, sizeof *tables);
    judgement->sums = found;
    judgement->tables = tables;
    CLEANUP(mem_free_at) ForestWalk *walks = mem_alloc(workers * sizeof *walks);
    judgement->walks = walks;
    for (size_t i = 0; i < workers; i++)
        forest_walk_init(&walks[i], judgement->forest);
    const Status status = run(judgement, pool);
    for (size_t i = 0; i < workers; i++) {
        for (size_t j = 0; j < judgement->forest->counts; j++)
            judgement->forest->usage[j] += walks[i].usage[j];
        forest_walk_free(&walks[i]);
    }
    TRY(status);
    for (size_t i = 0; i < judgement->organisms; i++) {
        int64_t *sum = &sums[judgement->lanes[i]];
        *sum = 0;
        for (size_t worker = 0; worker < workers; worker++)
            *sum += found[worker * lanes + i];
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
