// SPDX-License-Identifier: GPL-3.0-or-later
// The engine side of the Universal Chess Interface.
#pragma once

#include "base/view.h"
#include "eval/weights.h"
#include "search/features.h"

#include <stdbool.h>
#include <stdio.h>

// What an engine is started with.
typedef struct UciStart {
    const Weights *weights;
    const char *weights_path; // where they came from, for the engine's name; NULL: built in
    const Features *features; // of the search; NULL: profile modern
    bool tunable; // "uci" lists weights and numbers too; setoption takes them in any case
    bool by_hand; // someone types: they are greeted, and shown the board
} UciStart;

// Talks UCI until "quit" or the end of the input.
MUST_CHECK Status uci_run(const UciStart *start, FILE *in, FILE *out);

// What an option belongs to.
typedef enum UciGroup { UCI_GENERAL, UCI_SEARCH, UCI_NUMBERS, UCI_WEIGHTS } UciGroup;

// Takes one option: its name, its values ("1 to 512, default 1"; "" for a button), what it does.
typedef void UciOptionTaker(void *context, UciGroup group, const char *name, const char *values,
                            const char *help);

// Tells of all options in the order in which "uci" lists them where the engine is tunable.
void uci_describe_options(const Weights *weights, UciOptionTaker *take, void *context);

typedef struct BenchResult {
    uint64_t nodes;
    double seconds;
} BenchResult;

// Searches a fixed set of positions on one thread with a small table: the node count is the same
// every time and everywhere. Depth 0 is the standard depth.
MUST_CHECK Status uci_bench(const Weights *weights, const Features *features, int depth,
                            BenchResult *out);

// Gives as many different positions for games to begin from as `words` ask for: "N seed S book
// PATH|None [plies P] [score CP]". The same words give the same positions.
MUST_CHECK Status uci_genfens(const Weights *weights, StrView words,
                              void (*take)(void *context, const char *fen), void *context);
