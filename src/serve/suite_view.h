// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of engines to a test suite, as `falconer suite --jsonl FILE` writes them.
#pragma once

#include "chess/san.h"
#include "serve/tail.h"

enum { SUITE_VIEW_ANSWERS_MAX = 200000, SUITE_VIEW_ENGINES_MAX = 64 };

typedef struct SuiteViewAnswer {
    uint16_t engine;
    bool is_solved, has_score, is_mate, has_failed;
    char move[SAN_SIZE]; // "": none
    int32_t score, depth, points, max_points;
    int64_t ms, solution_ms;
} SuiteViewAnswer;

// A position, and where its answers begin. Texts are owned; NULL: the file does not tell.
typedef struct SuiteViewQuestion {
    int64_t line, mate; // mate: 0 where none is asked for
    char *id, *fen, *best, *avoid;
    size_t first, count;
} SuiteViewQuestion;

// {0} has read nothing.
typedef struct SuiteView {
    Tail file;
    SuiteViewQuestion *questions; // owned
    size_t count, capacity;
    SuiteViewAnswer *answers; // owned
    size_t answer_count, answer_capacity;
    char **engines; // owned: names
    size_t engine_count, engine_capacity;
    bool is_cut; // there are more answers than are kept
} SuiteView;

void suite_view_free(SuiteView *suite);
// Whether a file begins as such files do.
bool suite_view_is_suite(const char *path);
// Reads what is new in the file; true where there was something.
bool suite_view_update(SuiteView *suite, const char *path);

// Appends its keys for the list of all: its engines, and what they solved.
void suite_view_write_summary(const SuiteView *suite, Str *out);
// Appends an array of at most `most` positions from the index `from` on, with their answers.
void suite_view_write_positions(const SuiteView *suite, size_t from, size_t most, Str *out);
