// SPDX-License-Identifier: GPL-3.0-or-later
// The engine side of the Universal Chess Interface.
#pragma once

#include "eval/weights.h"

#include <stdio.h>

// Talks UCI until "quit" or the end of the input.
MUST_CHECK Status uci_run(const Weights *weights, FILE *in, FILE *out);

// What an option belongs to.
typedef enum UciGroup { UCI_GENERAL, UCI_SEARCH, UCI_WEIGHTS } UciGroup;

// Takes one option: its name, its values ("1 to 512, default 1"; "" for a button), what it does.
typedef void UciOptionTaker(void *context, UciGroup group, const char *name, const char *values,
                            const char *help);

// Tells of all options in the order in which "uci" lists them.
void uci_describe_options(const Weights *weights, UciOptionTaker *take, void *context);

typedef struct BenchResult {
    uint64_t nodes;
    double seconds;
} BenchResult;

// Searches a fixed set of positions on one thread with a small table: the node count is the same
// every time and everywhere. Depth 0 is the standard depth.
MUST_CHECK Status uci_bench(const Weights *weights, int depth, BenchResult *out);
