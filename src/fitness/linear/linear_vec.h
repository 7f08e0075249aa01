// SPDX-License-Identifier: GPL-3.0-or-later
// A vector of 32-bit floating-point numbers: all that differs between processors in
// linear_kernel.c.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define INLINE [[gnu::always_inline]] static inline

#if defined(__AVX512F__)
typedef __m512 Vec;
#define VEC_NAME "AVX-512"
INLINE Vec vec_load(const float *from) {
    return _mm512_loadu_ps(from);
}
INLINE void vec_store(float *to, Vec x) {
    _mm512_storeu_ps(to, x);
}
INLINE Vec vec_all(float x) {
    return _mm512_set1_ps(x);
}
INLINE Vec vec_add(Vec a, Vec b) {
    return _mm512_add_ps(a, b);
}
INLINE Vec vec_mul(Vec a, Vec b) {
    return _mm512_mul_ps(a, b);
}
INLINE Vec vec_mul_add(Vec a, Vec b, Vec sum) {
    return _mm512_fmadd_ps(a, b, sum);
}
INLINE Vec vec_from_8_bits(const int8_t *from) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)from)));
}
INLINE Vec vec_from_16_bits(const int16_t *from) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)from)));
}
#elif defined(__AVX2__) && defined(__FMA__)
typedef __m256 Vec;
#define VEC_NAME "AVX2"
INLINE Vec vec_load(const float *from) {
    return _mm256_loadu_ps(from);
}
INLINE void vec_store(float *to, Vec x) {
    _mm256_storeu_ps(to, x);
}
INLINE Vec vec_all(float x) {
    return _mm256_set1_ps(x);
}
INLINE Vec vec_add(Vec a, Vec b) {
    return _mm256_add_ps(a, b);
}
INLINE Vec vec_mul(Vec a, Vec b) {
    return _mm256_mul_ps(a, b);
}
INLINE Vec vec_mul_add(Vec a, Vec b, Vec sum) {
    return _mm256_fmadd_ps(a, b, sum);
}
INLINE Vec vec_from_8_bits(const int8_t *from) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)from)));
}
INLINE Vec vec_from_16_bits(const int16_t *from) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)from)));
}
#else
// As many numbers as two registers hold on most processors, left to the compiler.
typedef struct Vec {
    float lanes[8];
} Vec;
#define VEC_NAME  "plain C"
#define EACH_LANE for (int i = 0; i < 8; i++)
INLINE Vec vec_load(const float *from) {
    Vec v;
    memcpy(&v, from, sizeof v);
    return v;
}
INLINE void vec_store(float *to, Vec x) {
    memcpy(to, &x, sizeof x);
}
INLINE Vec vec_all(float x) {
    Vec v;
    EACH_LANE v.lanes[i] = x;
    return v;
}
INLINE Vec vec_add(Vec a, Vec b) {
    EACH_LANE a.lanes[i] += b.lanes[i];
    return a;
}
INLINE Vec vec_mul(Vec a, Vec b) {
    EACH_LANE a.lanes[i] *= b.lanes[i];
    return a;
}
INLINE Vec vec_mul_add(Vec a, Vec b, Vec sum) {
    EACH_LANE sum.lanes[i] += a.lanes[i] * b.lanes[i];
    return sum;
}
INLINE Vec vec_from_8_bits(const int8_t *from) {
    Vec v;
    EACH_LANE v.lanes[i] = from[i];
    return v;
}
INLINE Vec vec_from_16_bits(const int16_t *from) {
    Vec v;
    EACH_LANE v.lanes[i] = from[i];
    return v;
}
#endif

enum { VEC_LANES = sizeof(Vec) / sizeof(float) };
