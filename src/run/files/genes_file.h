// SPDX-License-Identifier: GPL-3.0-or-later
// genes.csv of a run: of each generation the parameters of its best organism, and the mean and the
// deviation of its population, so that they can be drawn. Parameters that cannot change are left
// out.
#pragma once

#include "base/journal.h"
#include "evolve/evolve.h"

typedef struct GenesFile {
    Journal journal;
    const EvolveSpace *space; // borrowed
} GenesFile;

#define GENES_FILE_NONE                                                                            \
    { .journal = JOURNAL_NONE }

// Opens DIRECTORY/genes.csv to go on with a generation: rows from it on are removed. A run of an
// earlier version has no such file, and its first generations are not in it. ERR_PARSE where what
// is there is not this run's, or ends too early.
MUST_CHECK Status genes_open(GenesFile *genes, const char *directory, const EvolveSpace *space,
                             uint32_t generation);
// The rows of one generation; without `best` (NULL) there is no row of it.
MUST_CHECK Status genes_add(GenesFile *genes, const double *best, const EvolveBatch *population);
// Brings them to the disk itself.
MUST_CHECK Status genes_sync(GenesFile *genes);
MUST_CHECK Status genes_close(GenesFile *genes);

typedef enum GenesOf { GENES_BEST, GENES_MEAN, GENES_DEVIATION, GENES_OF_NB } GenesOf;
// Told of the rows one by one: the values of the parameters that can change, in their order.
typedef void GenesVisit(void *context, uint32_t generation, GenesOf of, const double *values);
// Reads DIRECTORY/genes.csv; nothing is told where there is none. ERR_PARSE, with the line,
// where it is not this run's.
MUST_CHECK Status genes_each(const char *directory, const EvolveSpace *space, GenesVisit *visit,
                             void *context);
