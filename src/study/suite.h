// SPDX-License-Identifier: GPL-3.0-or-later
// Test suites: positions with a best move (bm) or moves to avoid (am), put to an engine.
#pragma once

#include "base/status.h"
#include "chess/move.h"
#include "chess/position.h"
#include "engines/spec.h"

enum { SUITE_ID_SIZE = 64, SUITE_DETAIL_SIZE = 256, SUITE_CONCURRENCY_MAX = 512 };

typedef struct SuiteItem {
    Position pos;
    MoveList best, avoid; // one of them may be empty
    char id[SUITE_ID_SIZE];
    uint64_t line;
} SuiteItem;

typedef struct Suite {
    SuiteItem *items; // owned
    size_t count, capacity;
} Suite;

typedef struct SuiteConfig {
    const EngineSpec *engine; // its limits are those of each position
    int concurrency;
    int cancel_fd; // -1: none
} SuiteConfig;

// What became of one position.
typedef struct SuiteAnswer {
    Move move; // MOVE_NONE when the engine failed
    bool is_solved, has_score, is_mate;
    int score, depth;
    uint64_t nodes;
    int64_t elapsed_ns;
    char detail[SUITE_DETAIL_SIZE]; // what the engine did wrong, or ""
} SuiteAnswer;

typedef void SuiteCallback(void *context, const SuiteItem *item, const SuiteAnswer *answer);

// Reads an EPD file. A line that is malformed, or has neither bm nor am, is an error with file and
// line.
MUST_CHECK Status suite_load(Suite *out, const char *path);
void suite_free(Suite *suite);
// Whether the move is one of the best, and none to avoid.
bool suite_is_solved(const SuiteItem *item, Move move);

// Asks for every position, each as a new game; `on_answer` is called in order, by one thread at a
// time. An engine that fails is started again; one that cannot be started ends the run.
MUST_CHECK Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                            void *context);
