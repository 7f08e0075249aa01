// SPDX-License-Identifier: GPL-3.0-or-later
// CPU extensions that the compiler may have been allowed to use, by the names it knows them by.
// The bits agree with those in cpu_needs.c.
#pragma once

#include <stdint.h>

#define CPU_FEATURES_COMMON(FEATURE)                                                               \
    FEATURE(0, "sse3")                                                                             \
    FEATURE(1, "ssse3")                                                                            \
    FEATURE(2, "sse4.1")                                                                           \
    FEATURE(3, "sse4.2")                                                                           \
    FEATURE(4, "popcnt")                                                                           \
    FEATURE(5, "avx")                                                                              \
    FEATURE(6, "avx2")                                                                             \
    FEATURE(7, "bmi")                                                                              \
    FEATURE(8, "bmi2")                                                                             \
    FEATURE(9, "fma")                                                                              \
    FEATURE(10, "gfni")                                                                            \
    FEATURE(11, "avx512f")                                                                         \
    FEATURE(12, "avx512cd")                                                                        \
    FEATURE(13, "avx512bw")                                                                        \
    FEATURE(14, "avx512dq")                                                                        \
    FEATURE(15, "avx512vl")                                                                        \
    FEATURE(16, "avx512ifma")                                                                      \
    FEATURE(17, "avx512vbmi")                                                                      \
    FEATURE(18, "avx512vbmi2")                                                                     \
    FEATURE(19, "avx512vnni")                                                                      \
    FEATURE(20, "avx512bitalg")                                                                    \
    FEATURE(21, "avx512vpopcntdq")

// clang cannot ask for these; the CPUs that lack them lack bmi2 as well.
#ifdef __clang__
#define CPU_FEATURES(FEATURE) CPU_FEATURES_COMMON(FEATURE)
#else
#define CPU_FEATURES(FEATURE) CPU_FEATURES_COMMON(FEATURE) FEATURE(22, "lzcnt") FEATURE(23, "movbe")
#endif

// Bit n is set when feature n is needed.
extern const uint32_t cpu_needs;
