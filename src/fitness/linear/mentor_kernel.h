// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loop of learning from scores: absolute errors of many organisms over many
// positions.
#pragma once

#include "fitness/linear/counts.h"

// How many organisms are worked on at once; work in multiples of it wastes nothing.
enum { MENTOR_GROUP = 6, MENTOR_CHUNK_BLOCKS = 32 };
// How many pairs of terms the kernel takes.
enum { MENTOR_PAIRS_MAX = 1025 };

// Which instructions were compiled in: "AVX-512 VNNI", "AVX2", "NEON", "plain C".
const char *mentor_kernel_name(void);

// Coefficients of an organism are 2 x pairs numbers. Adds to sums[i] organism i's sum of
// |label - counts . coefficients| over blocks first to last - 1, exactly, provided that
// largest_error times MENTOR_CHUNK_BLOCKS fits in 31 bits.
void mentor_kernel_add(const CountMatrix *matrix, size_t first, size_t last,
                       const int16_t *coefficients, size_t organisms, int64_t *sums);
// The same for any numbers, one multiplication at a time, and the twin to test against; these
// coefficients are one number per term.
void mentor_plain_add(const CountMatrix *matrix, size_t first, size_t last,
                      const int32_t *coefficients, size_t organisms, int64_t *sums);
// Multiplies and adds `rounds` times what registers hold, nothing else: what the instructions could
// do at best. Returns the number of 16-bit multiply-adds done; `sink` keeps the work from
// vanishing.
uint64_t mentor_kernel_peak(uint64_t rounds, int32_t *sink);
