// SPDX-License-Identifier: GPL-3.0-or-later
// A strip is as many positions as fit a few registers: their sums stay there while the counts go
// by, and so do their slopes on the way back. Which loops run is known when they are compiled.
#include "fitness/linear/linear_kernel.h"

#include "base/mem.h"
#include "base/simd.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(SIMD_AVX2)
#include <immintrin.h>
#elif defined(SIMD_NEON)
#include <arm_neon.h>
#endif

#define INLINE [[gnu::always_inline]] static inline

// --- a vector of 32-bit floating-point numbers: all that differs between processors ---
// How wide it is changes no result: each position has a lane of its own, and slopes are added up
// in SUM_LANES lanes everywhere. Nor is a product added without being rounded (FMA), which not all
// processors can.

#if defined(SIMD_AVX512)
enum { VEC_LANES = 16 };
#define VEC_NAME "AVX-512"
#elif defined(SIMD_AVX2)
enum { VEC_LANES = 8 };
#define VEC_NAME "AVX2"
#elif defined(SIMD_NEON)
enum { VEC_LANES = 8 }; // two registers
#define VEC_NAME "NEON"
#else
// As many numbers as two registers hold on most processors, left to the compiler.
enum { VEC_LANES = 8 };
#define VEC_NAME "plain C"
#endif

typedef float Vec __attribute__((vector_size(VEC_LANES * sizeof(float))));
typedef int8_t Narrow __attribute__((vector_size(VEC_LANES)));
typedef int16_t Wide __attribute__((vector_size(VEC_LANES * sizeof(int16_t))));
typedef int32_t Whole __attribute__((vector_size(VEC_LANES * sizeof(int32_t))));

INLINE Vec vec_load(const float *from) {
    Vec x;
    memcpy(&x, from, sizeof x);
    return x;
}
INLINE void vec_store(float *to, Vec x) {
    memcpy(to, &x, sizeof x);
}
INLINE Vec vec_all(float x) {
    return x - (Vec){0};
}
#if defined(SIMD_NEON)
INLINE Vec vec_from_halves(int16x8_t from) {
    const float32x4_t halves[] = {vcvtq_f32_s32(vmovl_s16(vget_low_s16(from))),
                                  vcvtq_f32_s32(vmovl_high_s16(from))};
    Vec x;
    memcpy(&x, halves, sizeof x);
    return x;
}
#endif
INLINE Vec vec_from_8_bits(const int8_t *from) {
#if defined(SIMD_AVX512)
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)from)));
#elif defined(SIMD_AVX2)
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)from)));
#elif defined(SIMD_NEON)
    return vec_from_halves(vmovl_s8(vld1_s8(from)));
#else
    Narrow x;
    memcpy(&x, from, sizeof x);
    // In steps that are instructions: gcc goes through all of them number by number.
    return __builtin_convertvector(__builtin_convertvector(__builtin_convertvector(x, Wide), Whole),
                                   Vec);
#endif
}
INLINE Vec vec_from_16_bits(const int16_t *from) {
#if defined(SIMD_NEON)
    return vec_from_halves(vld1q_s16(from));
#else
    Wide x;
    memcpy(&x, from, sizeof x);
    return __builtin_convertvector(x, Vec);
#endif
}

enum { STRIP_VECS = 4, STRIP = STRIP_VECS * VEC_LANES };
enum { SUM_LANES = 16, SUM_VECS = SUM_LANES / VEC_LANES };
static_assert(LINEAR_LANES % STRIP == 0, "a tile is a number of strips");
static_assert(STRIP % SUM_LANES == 0, "a strip fills the lanes of its sums");

#define EACH_VEC _Pragma("GCC unroll 8") for (size_t v = 0; v < STRIP_VECS; v++) // NOLINT
#define EACH_SUM _Pragma("GCC unroll 8") for (size_t v = 0; v < SUM_VECS; v++)   // NOLINT

const char *linear_kernel_name(void) {
    return VEC_NAME;
}

void linear_work_init(LinearWork *work, const LinearSet *set, const LinearLoss *loss,
                      const double *coefficients) {
    const size_t counts = set->counts, step = set->is_tapered ? 2 : 1;
    *work = (LinearWork){.set = set, .loss = *loss};
    work->middlegame = mem_alloc_zero(2 * counts, sizeof *work->middlegame);
    work->endgame = work->middlegame + counts;
    work->sums = mem_alloc(2 * counts * SUM_LANES * sizeof *work->sums);
    for (size_t i = 0; i < counts; i++) {
        work->middlegame[i] = (float)coefficients[step * i];
        if (set->is_tapered)
            work->endgame[i] = (float)coefficients[step * i + 1];
    }
}

void linear_work_free(LinearWork *work) {
    free(work->middlegame);
    free(work->sums);
}

// Numbers of counts that some position of a tile has, one after another. Passing over the others
// changes no sum: they would add 0.
typedef struct Present {
    const uint64_t *words;
    size_t word, word_count;
    uint64_t bits;
} Present;

INLINE Present present_in(const LinearWork *work, const LinearBlock *block, size_t place) {
    const size_t count = linear_set_words(work->set);
    Present present = {block->present + place / LINEAR_LANES * count, 0, count, 0};
    present.bits = count == 0 ? 0 : present.words[0];
    return present;
}
// False where there are no more.
INLINE bool next_present(Present *present, size_t *count) {
    while (present->bits == 0) {
        if (++present->word >= present->word_count)
            return false;
        present->bits = present->words[present->word];
    }
    *count = present->word * 64 + (size_t)__builtin_ctzll(present->bits);
    present->bits &= present->bits - 1;
    return true;
}

// --- there: counts to scores ---

INLINE Vec counts_of(const void *cells, size_t cell, bool is_wide) {
    return is_wide ? vec_from_16_bits((const int16_t *)cells + cell)
                   : vec_from_8_bits((const int8_t *)cells + cell);
}

INLINE void score_strip(const LinearWork *work, const void *cells, size_t cell, bool is_wide,
                        bool is_tapered, const LinearBlock *block, size_t place, float *scores) {
    Vec middlegame[STRIP_VECS], endgame[STRIP_VECS];
    EACH_VEC middlegame[v] = endgame[v] = vec_all(0);
    Present present = present_in(work, block, place);
    for (size_t i; next_present(&present, &i);) {
        const size_t row = cell + i * LINEAR_LANES;
        const Vec first = vec_all(work->middlegame[i]), second = vec_all(work->endgame[i]);
        EACH_VEC {
            const Vec counts = counts_of(cells, row + v * VEC_LANES, is_wide);
            middlegame[v] += counts * first;
            if (is_tapered)
                endgame[v] += counts * second;
        }
    }
    EACH_VEC {
        const size_t at = place + v * VEC_LANES;
        Vec score = middlegame[v] * vec_load(block->middlegame + at);
        score += vec_load(block->offsets + at);
        if (is_tapered)
            score += endgame[v] * vec_load(block->endgame + at);
        vec_store(scores + v * VEC_LANES, score);
    }
}

INLINE void score_tile_as(const LinearWork *work, const LinearBlock *block, size_t tile,
                          bool is_wide, bool is_tapered, float scores[LINEAR_LANES]) {
    const size_t place = tile * LINEAR_LANES, cell = place * work->set->counts;
    for (size_t at = 0; at < LINEAR_LANES; at += STRIP)
        score_strip(work, block->cells, cell + at, is_wide, is_tapered, block, place + at,
                    scores + at);
}

static void score_tile(const LinearWork *work, const LinearBlock *block, size_t tile,
                       float scores[LINEAR_LANES]) {
    if (block->is_wide)
        score_tile_as(work, block, tile, true, true, scores);
    else if (work->set->is_tapered)
        score_tile_as(work, block, tile, false, true, scores);
    else
        score_tile_as(work, block, tile, false, false, scores);
}

// --- scores to losses and slopes; the compiler makes vectors of these loops ---

#define EACH_PLACE for (int i = 0; i < LINEAR_LANES; i++)

// e^x for x from -80 to 0, to within a few units of the last place.
INLINE float exp_of(float x) {
    const float rounder = 12582912.0f; // 1.5 x 2^23: what is added to it loses its fraction
    const float turns = x * 1.44269504f, whole = (turns + rounder) - rounder;
    const float rest = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
    float sum = 1.0f / 5040;
    sum = sum * rest + 1.0f / 720;
    sum = sum * rest + 1.0f / 120;
    sum = sum * rest + 1.0f / 24;
    sum = sum * rest + 1.0f / 6;
    sum = sum * rest + 0.5f;
    sum = sum * rest + 1.0f;
    sum = sum * rest + 1.0f;
    const int32_t bits = ((int32_t)whole + 127) * (1 << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

// log(1 + x) for x from 0 to 1: twice the series of atanh at x / (2 + x), at most a third.
INLINE float log1p_of(float x) {
    const float s = x / (2 + x), square = s * s;
    float sum = 1.0f / 13;
    sum = sum * square + 1.0f / 11;
    sum = sum * square + 1.0f / 9;
    sum = sum * square + 1.0f / 7;
    sum = sum * square + 1.0f / 5;
    sum = sum * square + 1.0f / 3;
    sum = sum * square + 1.0f;
    return 2 * s * sum;
}

// The power e^-|z| that probability and loss are made of, of a z that is not too large for it.
INLINE float power_of(float z) {
    const float size = z < 0 ? -z : z;
    return exp_of(size > 80 ? -80.0f : -size);
}

INLINE float probability_of(float z, float power) {
    return (z < 0 ? power : 1.0f) / (1 + power);
}

static void judge_cross_entropy(float rate, const float *targets, float *scores, float *losses) {
    EACH_PLACE {
        const float z = rate * scores[i], power = power_of(z);
        losses[i] = (z < 0 ? 0 : z) + log1p_of(power) - targets[i] * z;
        scores[i] = rate * (probability_of(z, power) - targets[i]);
    }
}

static void to_probabilities(float rate, float *scores, float *slopes) {
    EACH_PLACE {
        const float z = rate * scores[i], power = power_of(z);
        scores[i] = probability_of(z, power);
        slopes[i] = rate * power / ((1 + power) * (1 + power));
    }
}

static void judge_squared(const float *targets, float *scores, float *losses) {
    EACH_PLACE {
        const float error = scores[i] - targets[i];
        losses[i] = error * error;
        scores[i] = 2 * error;
    }
}

static void judge_absolute(float bend, const float *targets, float *scores, float *losses) {
    EACH_PLACE {
        const float error = scores[i] - targets[i], size = error < 0 ? -error : error;
        const float bent = size < bend ? size : bend;
        losses[i] = size - bent + bent * bent / (2 * bend);
        scores[i] = (error < 0 ? -bent : bent) / bend;
    }
}

// Scores become slopes: how much the loss grows with each.
static void judge(const LinearLoss *loss, const float *targets, float scores[LINEAR_LANES],
                  float losses[LINEAR_LANES]) {
    const float rate = (float)(loss->k * log(10) / 400);
    float slopes[LINEAR_LANES];
    if (loss->shape == SHAPE_CROSS_ENTROPY) {
        judge_cross_entropy(rate, targets, scores, losses);
        return;
    }
    if (loss->is_probability)
        to_probabilities(rate, scores, slopes);
    if (loss->shape == SHAPE_SQUARED)
        judge_squared(targets, scores, losses);
    else
        judge_absolute((float)linear_loss_bend(loss), targets, scores, losses);
    if (loss->is_probability)
        EACH_PLACE scores[i] *= slopes[i];
}

// --- and back: slopes to sums for each coefficient ---

INLINE void add_strip(const LinearWork *work, const LinearBlock *block, size_t place, size_t cell,
                      bool is_wide, bool is_tapered, const float *slopes) {
    const float *shares = block->middlegame + place, *end_shares = block->endgame + place;
    Vec middlegame[STRIP_VECS], endgame[STRIP_VECS];
    EACH_VEC {
        const Vec slope = vec_load(slopes + v * VEC_LANES);
        middlegame[v] = slope * vec_load(shares + v * VEC_LANES);
        endgame[v] = slope * vec_load(end_shares + v * VEC_LANES);
    }
    Present present = present_in(work, block, place);
    for (size_t i; next_present(&present, &i);) {
        const size_t row = cell + i * LINEAR_LANES;
        float *sums = work->sums + i * 2 * SUM_LANES;
        Vec first[SUM_VECS], second[SUM_VECS];
        EACH_SUM {
            first[v] = vec_load(sums + v * VEC_LANES);
            second[v] = vec_load(sums + SUM_LANES + v * VEC_LANES);
        }
        EACH_VEC {
            const Vec counts = counts_of(block->cells, row + v * VEC_LANES, is_wide);
            first[v % SUM_VECS] += counts * middlegame[v];
            if (is_tapered)
                second[v % SUM_VECS] += counts * endgame[v];
        }
        EACH_SUM {
            vec_store(sums + v * VEC_LANES, first[v]);
            if (is_tapered)
                vec_store(sums + SUM_LANES + v * VEC_LANES, second[v]);
        }
    }
}

INLINE void add_tile_as(const LinearWork *work, const LinearBlock *block, size_t tile, bool is_wide,
                        bool is_tapered, const float slopes[LINEAR_LANES]) {
    const size_t place = tile * LINEAR_LANES, cell = place * work->set->counts;
    for (size_t at = 0; at < LINEAR_LANES; at += STRIP)
        add_strip(work, block, place + at, cell + at, is_wide, is_tapered, slopes + at);
}

static void add_tile(const LinearWork *work, const LinearBlock *block, size_t tile,
                     const float slopes[LINEAR_LANES]) {
    if (block->is_wide)
        add_tile_as(work, block, tile, true, true, slopes);
    else if (work->set->is_tapered)
        add_tile_as(work, block, tile, false, true, slopes);
    else
        add_tile_as(work, block, tile, false, false, slopes);
}

static void add_sums(const LinearWork *work, double *gradient) {
    const size_t count = linear_set_coefficients(work->set), step = work->set->is_tapered ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        const float *lanes = work->sums + i * step * SUM_LANES;
        double sum = 0;
        for (size_t lane = 0; lane < SUM_LANES; lane++)
            sum += (double)lanes[lane];
        gradient[i] += sum;
    }
}

// --- the whole ---

void linear_kernel_scores(const LinearWork *work, const LinearBlock *block,
                          float scores[LINEAR_BLOCK]) {
    for (size_t tile = 0; tile < LINEAR_TILES; tile++)
        score_tile(work, block, tile, scores + tile * LINEAR_LANES);
}

void linear_kernel_add(const LinearWork *work, const LinearBlock *block, double *loss,
                       double *gradient) {
    float total[LINEAR_LANES] = {0};
    memset(work->sums, 0, 2 * work->set->counts * SUM_LANES * sizeof *work->sums);
    for (size_t tile = 0; tile < LINEAR_TILES; tile++) {
        float slopes[LINEAR_LANES], losses[LINEAR_LANES];
        const float *weights = block->weights + tile * LINEAR_LANES;
        score_tile(work, block, tile, slopes);
        judge(&work->loss, block->targets + tile * LINEAR_LANES, slopes, losses);
        EACH_PLACE {
            total[i] += losses[i] * weights[i];
            slopes[i] *= weights[i];
        }
        if (gradient != NULL)
            add_tile(work, block, tile, slopes);
    }
    EACH_PLACE *loss += (double)total[i];
    if (gradient != NULL)
        add_sums(work, gradient);
}

void linear_kernel_add_scored(const LinearWork *work, const LinearBlock *block,
                              const float scores[LINEAR_BLOCK], double *loss) {
    float total[LINEAR_LANES] = {0};
    for (size_t place = 0; place < LINEAR_BLOCK; place += LINEAR_LANES) {
        float slopes[LINEAR_LANES], losses[LINEAR_LANES];
        memcpy(slopes, scores + place, sizeof slopes);
        judge(&work->loss, block->targets + place, slopes, losses);
        EACH_PLACE total[i] += losses[i] * block->weights[place + (size_t)i];
    }
    EACH_PLACE *loss += (double)total[i];
}
