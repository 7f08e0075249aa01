// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several runs is the median one, by the ranks that DIRECTORY/runs.csv keeps.
#pragma once

#include "base/error.h"

#include <stddef.h>

// How many of so many runs are better than the median: of two in the middle the worse is it.
size_t run_rank_median(size_t runs);
// The median run, counted from 0; ERR_IO or ERR_PARSE, with the line, where the file cannot tell.
MUST_CHECK Status run_rank_read_median(const char *directory, size_t *run);
