// SPDX-License-Identifier: GPL-3.0-or-later
// The engine side of the Universal Chess Interface.
#pragma once

#include "eval/weights.h"

#include <stdio.h>

// Talks UCI until "quit" or the end of the input.
MUST_CHECK Status uci_run(const Weights *weights, FILE *in, FILE *out);

typedef struct BenchResult {
    uint64_t nodes;
    double seconds;
} BenchResult;

// Searches a fixed set of positions on one thread with a small table: the node count is the same
// every time and everywhere. Depth 0 is the standard depth.
MUST_CHECK Status uci_bench(const Weights *weights, int depth, BenchResult *out);
