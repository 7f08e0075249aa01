// SPDX-License-Identifier: GPL-3.0-or-later
// population.csv of a run: its last generation, a line for each organism with its figure and its
// parameters. What a second stage of learning starts from.
#pragma once

#include "evolve/space.h"

// Writes DIRECTORY/population.csv; `name` says what the figures are. Without figures (NULL) there
// is no such column.
MUST_CHECK Status population_write(const char *directory, const EvolveSpace *space,
                                   const char *name, const double *organisms, const double *figures,
                                   size_t count);
// Reads the parameters back, those of one organism after the other; the caller frees them.
// ERR_PARSE, with the line, where names or values are not of this space.
MUST_CHECK Status population_read(const char *directory, const EvolveSpace *space,
                                  double **organisms, size_t *count);
// The same for the best by their figures, at most `most`, the best first; of equal ones those that
// stand first in the file. ERR_PARSE where there are no figures.
MUST_CHECK Status population_read_best(const char *directory, const EvolveSpace *space, size_t most,
                                       double **organisms, size_t *count);
