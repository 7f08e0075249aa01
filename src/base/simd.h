// SPDX-License-Identifier: GPL-3.0-or-later
// Which vector instructions kernels are written for: the one place that decides. Without any of
// them, or with FALCONER_PLAIN (make PLAIN=1), kernels are plain C; results are the same.
#pragma once

#if !defined(FALCONER_PLAIN)
#if defined(__AVX2__)
#define SIMD_AVX2 // one register: 32 bytes
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__)
#define SIMD_AVX512 // 64 bytes
#endif
#if defined(SIMD_AVX512) && defined(__AVX512VNNI__)
#define SIMD_AVX512_VNNI
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define SIMD_NEON // 16 bytes; each aarch64 has it
#endif
#endif
