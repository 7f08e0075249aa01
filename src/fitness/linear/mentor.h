// SPDX-License-Identifier: GPL-3.0-or-later
// The mentor's fitness: how far organisms' static scores are from the mentor's, for a whole
// population at once, exactly.
#pragma once

#include "dist/pool.h"
#include "fitness/linear/counts.h"

// out[i] becomes the sum over all positions of |label - counts . coefficients| for organism i,
// whose coefficients are matrix->terms numbers. The same on any number of threads.
MUST_CHECK Status mentor_errors(const CountMatrix *matrix, const int32_t *coefficients,
                                size_t organisms, DistPool *pool, int64_t *out);
// The error of each position for one organism.
void mentor_residuals(const CountMatrix *matrix, const int32_t *coefficients, int32_t *out);
