// SPDX-License-Identifier: GPL-3.0-or-later
// The populations that a run has kept (populations.csv), and the lineage of its best organisms.
#pragma once

#include "serve/run_view.h"

// Appends the keys `generations` (all that are kept), `generation` (the last of them that is not
// behind `wanted`, or the first), `names` of its genes, and `organisms` with place, figure and
// values. ERR_IO where the run has kept none.
MUST_CHECK Status population_view_write(const char *folder, uint32_t wanted, Str *out);
// Finds the line of names and the values of one organism, with commas between.
MUST_CHECK Status population_view_find(const char *folder, uint32_t generation, uint32_t place,
                                       Str *names, Str *values);

enum { LINEAGE_STEPS_MAX = 200 };

// Appends the key `steps`: the generations in which the best organism became another one, the last
// first, as many as fit. ERR_IO where the run has no genes.
MUST_CHECK Status population_view_lineage(const char *folder, const RunView *run, Str *out);
