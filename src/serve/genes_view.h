// SPDX-License-Identifier: GPL-3.0-or-later
// The genes of a run (genes.csv): thinned out for a picture, or those of one organism.
#pragma once

#include "eval/weights.h"
#include "serve/run_view.h"

enum { GENES_COLUMNS_MAX = 600 }; // generations of a picture

// Appends the keys `names`, `generations` and `values` (a list for each generation), of the best
// organisms, the means or the deviations: "best", "mean", "deviation". ERR_ARG for other words,
// ERR_IO where the run has no genes.
MUST_CHECK Status genes_write(const char *folder, uint32_t last_generation, const char *of,
                              Str *out);

// The best organism of a generation, or the one at `place` of a generation that was kept
// (GENES_BEST_PLACE: the best), as weights with their story. What a run keeps fixed is
// not among its genes: it comes from the best organism of its end, or from the family's own start
// where the run began from no weights. Free it with weights_free.
#define GENES_BEST_PLACE UINT32_MAX
MUST_CHECK Status genes_organism(const char *folder, const RunView *run, uint32_t generation,
                                 uint32_t place, Weights *out);
