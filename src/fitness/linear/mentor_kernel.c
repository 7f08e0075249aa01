// SPDX-License-Identifier: GPL-3.0-or-later
// One tile of the product is held in registers: a few blocks of positions by MENTOR_GROUP
// organisms. Vec is one vector of 32-bit lanes; what differs between processors is these few lines.
#include "fitness/linear/mentor_kernel.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define INLINE [[gnu::always_inline]] static inline

#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
typedef __m512i Vec;
enum { VECS = 1, TILE_BLOCKS = 4 }; // vectors of a block, blocks of a tile
static const char name[] = "AVX-512 VNNI";
INLINE Vec vec_load(const void *from) {
    return _mm512_load_si512(from);
}
INLINE void vec_store(void *to, Vec x) {
    _mm512_storeu_si512(to, x);
}
INLINE Vec vec_all(int32_t x) {
    return _mm512_set1_epi32(x);
}
INLINE Vec vec_madd(Vec sum, Vec a, Vec b) {
    // As written by gcc 12, the intrinsic copies its first operand back and forth.
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
    return sum;
}
INLINE Vec vec_add(Vec a, Vec b) {
    return _mm512_add_epi32(a, b);
}
INLINE Vec vec_sub(Vec a, Vec b) {
    return _mm512_sub_epi32(a, b);
}
INLINE Vec vec_abs(Vec a) {
    return _mm512_abs_epi32(a);
}
#elif defined(__AVX2__)
typedef __m256i Vec;
enum { VECS = 2, TILE_BLOCKS = 1 };
static const char name[] = "AVX2";
INLINE Vec vec_load(const void *from) {
    return _mm256_load_si256(from);
}
INLINE void vec_store(void *to, Vec x) {
    _mm256_storeu_si256(to, x);
}
INLINE Vec vec_all(int32_t x) {
    return _mm256_set1_epi32(x);
}
INLINE Vec vec_madd(Vec sum, Vec a, Vec b) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}
INLINE Vec vec_add(Vec a, Vec b) {
    return _mm256_add_epi32(a, b);
}
INLINE Vec vec_sub(Vec a, Vec b) {
    return _mm256_sub_epi32(a, b);
}
INLINE Vec vec_abs(Vec a) {
    return _mm256_abs_epi32(a);
}
#else
// One block's worth of numbers, left to the compiler.
typedef struct Vec {
    int32_t lanes[COUNTS_LANES];
} Vec;
enum { VECS = 1, TILE_BLOCKS = 1 };
static const char name[] = "plain C";
#define EACH_LANE for (int i = 0; i < COUNTS_LANES; i++)
INLINE Vec vec_load(const void *from) {
    Vec v;
    memcpy(&v, from, sizeof v);
    return v;
}
INLINE void vec_store(void *to, Vec x) {
    memcpy(to, &x, sizeof x);
}
INLINE Vec vec_all(int32_t x) {
    Vec v;
    EACH_LANE v.lanes[i] = x;
    return v;
}
INLINE Vec vec_madd(Vec sum, Vec a, Vec b) {
    EACH_LANE {
        const int32_t x = a.lanes[i], y = b.lanes[i];
        sum.lanes[i] += (int16_t)x * (int16_t)y + (x >> 16) * (y >> 16);
    }
    return sum;
}
INLINE Vec vec_add(Vec a, Vec b) {
    EACH_LANE a.lanes[i] += b.lanes[i];
    return a;
}
INLINE Vec vec_sub(Vec a, Vec b) {
    EACH_LANE a.lanes[i] -= b.lanes[i];
    return a;
}
INLINE Vec vec_abs(Vec a) {
    EACH_LANE a.lanes[i] = a.lanes[i] < 0 ? -a.lanes[i] : a.lanes[i];
    return a;
}
#endif

enum { VEC_LANES = sizeof(Vec) / sizeof(int32_t) };

const char *mentor_kernel_name(void) {
    return name;
}

// Adds the errors of one group over `blocks` blocks, a constant wherever this is inlined.
INLINE void add_tile(const CountMatrix *matrix, size_t block, size_t blocks, const int32_t *group,
                     Vec errors[MENTOR_GROUP]) {
    const size_t columns = blocks * VECS, pairs = matrix->pairs;
    const int32_t *labels = matrix->labels + block * COUNTS_LANES;
    const char *cells = (const char *)matrix->cells + block * pairs * VECS * sizeof(Vec);
    Vec sums[MENTOR_GROUP][TILE_BLOCKS * VECS];
#pragma GCC unroll 8
    for (size_t c = 0; c < columns; c++) {
        const Vec start = vec_sub(vec_all(0), vec_load(labels + c * VEC_LANES));
#pragma GCC unroll 8
        for (size_t o = 0; o < MENTOR_GROUP; o++)
            sums[o][c] = start;
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        Vec counts[TILE_BLOCKS * VECS];
#pragma GCC unroll 8
        for (size_t c = 0; c < columns; c++)
            counts[c] =
                vec_load(cells + ((c / VECS * pairs + pair) * VECS + c % VECS) * sizeof(Vec));
#pragma GCC unroll 8
        for (size_t o = 0; o < MENTOR_GROUP; o++) {
            const Vec coefficient = vec_all(group[pair * MENTOR_GROUP + o]);
#pragma GCC unroll 8
            for (size_t c = 0; c < columns; c++)
                sums[o][c] = vec_madd(sums[o][c], counts[c], coefficient);
        }
    }
#pragma GCC unroll 8
    for (size_t o = 0; o < MENTOR_GROUP; o++)
#pragma GCC unroll 8
        for (size_t c = 0; c < columns; c++)
            errors[o] = vec_add(errors[o], vec_abs(sums[o][c]));
}

// One group over at most MENTOR_CHUNK_BLOCKS blocks, so that lanes of 32 bits hold their sums.
static void add_group(const CountMatrix *matrix, size_t first, size_t last, const int32_t *group,
                      int64_t sums[MENTOR_GROUP]) {
    Vec errors[MENTOR_GROUP];
    for (size_t o = 0; o < MENTOR_GROUP; o++)
        errors[o] = vec_all(0);
    size_t block = first;
    for (; block + TILE_BLOCKS <= last; block += TILE_BLOCKS)
        add_tile(matrix, block, TILE_BLOCKS, group, errors);
    for (; block < last; block++)
        add_tile(matrix, block, 1, group, errors);
    for (size_t o = 0; o < MENTOR_GROUP; o++) {
        int32_t lanes[VEC_LANES];
        vec_store(lanes, errors[o]);
        for (size_t i = 0; i < VEC_LANES; i++)
            sums[o] += lanes[i];
    }
}

// The group's coefficients, pair by pair: organism after organism.
static void pack_group(const CountMatrix *matrix, const int16_t *coefficients, size_t organisms,
                       int32_t *group) {
    memset(group, 0, matrix->pairs * MENTOR_GROUP * sizeof *group);
    for (size_t o = 0; o < organisms; o++)
        for (size_t pair = 0; pair < matrix->pairs; pair++)
            memcpy(&group[pair * MENTOR_GROUP + o], &coefficients[(o * matrix->pairs + pair) * 2],
                   sizeof *group);
}

void mentor_kernel_add(const CountMatrix *matrix, size_t first, size_t last,
                       const int16_t *coefficients, size_t organisms, int64_t *sums) {
    int32_t group[MENTOR_PAIRS_MAX * MENTOR_GROUP];
    for (size_t o = 0; o < organisms; o += MENTOR_GROUP) {
        const size_t here = organisms - o < MENTOR_GROUP ? organisms - o : MENTOR_GROUP;
        int64_t errors[MENTOR_GROUP] = {0};
        pack_group(matrix, coefficients + o * matrix->pairs * 2, here, group);
        for (size_t chunk = first; chunk < last; chunk += MENTOR_CHUNK_BLOCKS) {
            const size_t end =
                last - chunk < MENTOR_CHUNK_BLOCKS ? last : chunk + MENTOR_CHUNK_BLOCKS;
            add_group(matrix, chunk, end, group, errors);
        }
        for (size_t i = 0; i < here; i++)
            sums[o + i] += errors[i];
    }
}

void mentor_plain_add(const CountMatrix *matrix, size_t first, size_t last,
                      const int32_t *coefficients, size_t organisms, int64_t *sums) {
    const size_t end = last * COUNTS_LANES < matrix->count ? last * COUNTS_LANES : matrix->count;
    for (size_t o = 0; o < organisms; o++)
        for (size_t i = first * COUNTS_LANES; i < end; i++) {
            int64_t error = matrix->labels[i];
            for (size_t term = 0; term < matrix->terms; term++)
                error -=
                    (int64_t)counts_at(matrix, i, term) * coefficients[o * matrix->terms + term];
            sums[o] += error < 0 ? -error : error;
        }
}

uint64_t mentor_kernel_peak(uint64_t rounds, int32_t *sink) {
    enum { CHAINS = 12 }; // more than the instruction's latency in cycles times its rate
    Vec sums[CHAINS], a = vec_all(*sink), b = vec_all(*sink + 1);
    for (size_t i = 0; i < CHAINS; i++)
        sums[i] = vec_all((int32_t)i);
    for (uint64_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < CHAINS; i++)
            sums[i] = vec_madd(sums[i], a, b);
#if defined(__AVX2__)
        // Only where Vec is a register: the products must not be taken for constants.
        __asm__ volatile("" : "+v"(a), "+v"(b));
#endif
    }
    for (size_t i = 1; i < CHAINS; i++)
        sums[0] = vec_add(sums[0], sums[i]);
    int32_t lanes[VEC_LANES];
    vec_store(lanes, sums[0]);
    *sink = lanes[0];
    return rounds * CHAINS * VEC_LANES * 2;
}
