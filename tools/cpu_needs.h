// SPDX-License-Identifier: GPL-3.0-or-later
// CPU extensions that the compiler may have been allowed to use: the name by which it can ask for
// one, and the macro that says that it may use it.
#pragma once

#include <stdint.h>

#define CPU_FEATURES_COMMON(FEATURE)                                                               \
    FEATURE(0, "sse3", __SSE3__)                                                                   \
    FEATURE(1, "ssse3", __SSSE3__)                                                                 \
    FEATURE(2, "sse4.1", __SSE4_1__)                                                               \
    FEATURE(3, "sse4.2", __SSE4_2__)                                                               \
    FEATURE(4, "popcnt", __POPCNT__)                                                               \
    FEATURE(5, "avx", __AVX__)                                                                     \
    FEATURE(6, "avx2", __AVX2__)                                                                   \
    FEATURE(7, "bmi", __BMI__)                                                                     \
    FEATURE(8, "bmi2", __BMI2__)                                                                   \
    FEATURE(9, "fma", __FMA__)                                                                     \
    FEATURE(10, "gfni", __GFNI__)                                                                  \
    FEATURE(11, "avx512f", __AVX512F__)                                                            \
    FEATURE(12, "avx512cd", __AVX512CD__)                                                          \
    FEATURE(13, "avx512bw", __AVX512BW__)                                                          \
    FEATURE(14, "avx512dq", __AVX512DQ__)                                                          \
    FEATURE(15, "avx512vl", __AVX512VL__)                                                          \
    FEATURE(16, "avx512ifma", __AVX512IFMA__)                                                      \
    FEATURE(17, "avx512vbmi", __AVX512VBMI__)                                                      \
    FEATURE(18, "avx512vbmi2", __AVX512VBMI2__)                                                    \
    FEATURE(19, "avx512vnni", __AVX512VNNI__)                                                      \
    FEATURE(20, "avx512bitalg", __AVX512BITALG__)                                                  \
    FEATURE(21, "avx512vpopcntdq", __AVX512VPOPCNTDQ__)

// clang cannot ask for these; the CPUs that lack them lack bmi2 as well.
#ifdef __clang__
#define CPU_FEATURES(FEATURE) CPU_FEATURES_COMMON(FEATURE)
#else
#define CPU_FEATURES(FEATURE)                                                                      \
    CPU_FEATURES_COMMON(FEATURE)                                                                   \
    FEATURE(22, "lzcnt", __LZCNT__)                                                                \
    FEATURE(23, "movbe", __MOVBE__)
#endif

// Bit n is set when feature n is needed.
extern const uint32_t cpu_needs;
