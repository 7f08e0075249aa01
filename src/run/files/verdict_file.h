// SPDX-License-Identifier: GPL-3.0-or-later
// verdict.csv: the games of a verdict, counted.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "match/rating/elo.h"

typedef struct VerdictCounts {
    uint64_t played;
    GameCounts games;
    PairCounts pairs;
} VerdictCounts;

// Appends the counts as a row, with its newline; reads one, to its newline: false where the counts
// are none, or do not tell of the same games.
void verdict_file_add_row(const VerdictCounts *counts, Str *out);
bool verdict_file_read_row(StrView line, VerdictCounts *out);

MUST_CHECK Status verdict_file_write(const char *path, const VerdictCounts *counts);
// ERR_PARSE where the counts are none, or do not tell of the same games.
MUST_CHECK Status verdict_file_read(const char *path, VerdictCounts *out);
