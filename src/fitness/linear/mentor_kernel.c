// SPDX-License-Identifier: GPL-3.0-or-later
// One tile of the product is held in registers: a few blocks of positions by MENTOR_GROUP
// organisms. Vec is one vector of 32-bit lanes; what differs between processors is these few lines.
#include "fitness/linear/mentor_kernel.h"

#include "base/simd.h"

#include <string.h>

#if defined(SIMD_AVX2)
#include <immintrin.h>
#elif defined(SIMD_NEON)
#include <arm_neon.h>
#endif

#define INLINE [[gnu::always_inline]] static inline

#if defined(SIMD_AVX512_VNNI)
enum { VEC_BYTES = 64, TILE_BLOCKS = 4 }; // blocks of a tile
static const char name[] = "AVX-512 VNNI";
#elif defined(SIMD_AVX2)
enum { VEC_BYTES = 32, TILE_BLOCKS = 1 };
static const char name[] = "AVX2";
#elif defined(SIMD_NEON)
enum { VEC_BYTES = 16, TILE_BLOCKS = 1 };
static const char name[] = "NEON";
#else
// One block's worth of numbers, left to the compiler.
enum { VEC_BYTES = COUNTS_LANES * sizeof(int32_t), TILE_BLOCKS = 1 };
static const char name[] = "plain C";
#endif

typedef int32_t Vec __attribute__((vector_size(VEC_BYTES), may_alias));
enum {
    VEC_LANES = sizeof(Vec) / sizeof(int32_t),
    VECS = COUNTS_LANES / VEC_LANES, // of a block
    // A lane has room for the errors of two positions per block of a chunk; of four in half of it.
    CHUNK_BLOCKS = VECS <= 2 ? MENTOR_CHUNK_BLOCKS : MENTOR_CHUNK_BLOCKS * 2 / VECS,
};

INLINE Vec vec_load(const void *from) {
    return *(const Vec *)from;
}
INLINE Vec vec_all(int32_t x) {
    return x - (Vec){0};
}
INLINE Vec vec_abs(Vec a) {
#if defined(SIMD_AVX512_VNNI)
    return (Vec)_mm512_abs_epi32((__m512i)a);
#elif defined(SIMD_AVX2)
    return (Vec)_mm256_abs_epi32((__m256i)a);
#else
    const Vec negative = a < 0;
    return (a ^ negative) - negative;
#endif
}
// Adds the products of the low and of the high halves of each lane.
INLINE Vec vec_madd(Vec sum, Vec a, Vec b) {
#if defined(SIMD_AVX512_VNNI)
    // As written by gcc 12, the intrinsic copies its first operand back and forth.
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
#elif defined(SIMD_AVX2)
    sum += (Vec)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(SIMD_NEON)
    const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
    sum = (Vec)vmlal_s16((int32x4_t)sum, vget_low_s16(vuzp1q_s16(x, x)),
                         vget_low_s16(vuzp1q_s16(y, y)));
    sum = (Vec)vmlal_s16((int32x4_t)sum, vget_low_s16(vuzp2q_s16(x, x)),
                         vget_low_s16(vuzp2q_s16(y, y)));
#else
    for (int i = 0; i < VEC_LANES; i++)
        sum[i] += (int16_t)a[i] * (int16_t)b[i] + (a[i] >> 16) * (b[i] >> 16);
#endif
    return sum;
}

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
        const Vec start = -vec_load(labels + c * VEC_LANES);
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
            errors[o] += vec_abs(sums[o][c]);
}

// One group over at most CHUNK_BLOCKS blocks, so that lanes of 32 bits hold their sums.
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
        for (size_t i = 0; i < VEC_LANES; i++)
            sums[o] += errors[o][i];
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
        for (size_t chunk = first; chunk < last; chunk += CHUNK_BLOCKS) {
            const size_t end = last - chunk < CHUNK_BLOCKS ? last : chunk + CHUNK_BLOCKS;
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
#if defined(SIMD_AVX2)
        // Only where Vec is a register: the products must not be taken for constants.
        __asm__ volatile("" : "+v"(a), "+v"(b));
#endif
    }
    for (size_t i = 1; i < CHAINS; i++)
        sums[0] += sums[i];
    *sink = sums[0][0];
    return rounds * CHAINS * VEC_LANES * 2;
}
