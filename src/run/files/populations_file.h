// SPDX-License-Identifier: GPL-3.0-or-later
// populations.csv of a run: organisms of some of its generations, the best of each first, so that a
// population can be looked at long after. Parameters that cannot change are left out.
#pragma once

#include "base/journal.h"
#include "evolve/evolve.h"

// What is kept.
typedef struct PopulationsConfig {
    uint32_t every;     // so many generations; 0: all at first, then fewer and fewer
    uint32_t organisms; // of a generation at most, evenly by rank; 0: there is no such file
    uint32_t last;      // a generation that is kept in any case
} PopulationsConfig;

typedef struct PopulationsFile {
    Journal journal;
    const EvolveSpace *space; // borrowed
    PopulationsConfig config;
} PopulationsFile;

#define POPULATIONS_FILE_NONE                                                                      \
    { .journal = JOURNAL_NONE }

// Whether a generation is kept: those of equal number are, however long a run is.
bool populations_keep(const PopulationsConfig *config, uint32_t generation);

// Opens DIRECTORY/populations.csv as generation_rows_open does.
MUST_CHECK Status populations_open(PopulationsFile *file, const char *directory,
                                   const EvolveSpace *space, const PopulationsConfig *config,
                                   uint32_t generation);
// Keeps a generation, if it is one to keep. `scores` rank the organisms and `figures` are what is
// told of them; both may be NULL.
MUST_CHECK Status populations_add(PopulationsFile *file, const EvolveBatch *population,
                                  const int64_t *scores, const double *figures);
// Brings them to the disk itself.
MUST_CHECK Status populations_sync(PopulationsFile *file);
MUST_CHECK Status populations_close(PopulationsFile *file);
