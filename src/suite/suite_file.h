// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to a suite as a file: one JSON object a line, for each position and engine.
#pragma once

#include "base/str.h"
#include "suite/suite_total.h"

// Appends the line of one answer, with its end.
void suite_line_write(const SuiteItem *item, const char *engine, const SuiteAnswer *answer,
                      Str *out);

// Engines and what they reached, in the order in which the file names them.
typedef struct SuiteScore {
    char *engine; // owned
    SuiteTotal total;
} SuiteScore;

typedef struct SuiteScores {
    SuiteScore *items; // owned
    size_t count, capacity;
} SuiteScores;

// Adds up the lines of a file that `falconer suite --jsonl` wrote. A line that is none is ERR_PARSE
// with file and line.
MUST_CHECK Status suite_scores_read(SuiteScores *out, const char *path);
void suite_scores_free(SuiteScores *scores);
// The total of that engine, or NULL.
const SuiteTotal *suite_scores_find(const SuiteScores *scores, const char *engine);
