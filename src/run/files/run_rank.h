// SPDX-License-Identifier: GPL-3.0-or-later
// The folders of several runs, and which run is the median one by the ranks that
// DIRECTORY/runs.csv keeps.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stddef.h>

// Appends the folder of one of several runs, DIRECTORY/run-01 and so on for `index` from 0, or
// DIRECTORY itself where there is one run alone.
void run_path(const char *directory, bool is_one_of_several, size_t index, Str *out);
// How many of so many runs are better than the median: of two in the middle the worse is it.
size_t run_rank_median(size_t runs);
// The median run, counted from 0; ERR_IO or ERR_PARSE, with the line, where the file cannot tell.
MUST_CHECK Status run_rank_read_median(const char *directory, size_t *run);
