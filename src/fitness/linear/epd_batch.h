// SPDX-License-Identifier: GPL-3.0-or-later
// Large files of EPD, read by many threads: records are looked at in any order, and what came of
// them is taken in the order of the file. No text is kept. Several files about the same positions
// are read in step.
#pragma once

#include "chess/epd.h"
#include "dist/pool.h"

enum { EPD_BATCH = 8192 }; // positions between two takings

typedef struct EpdBatchReader {
    // Looks at what the files have of a position, a record each, checked by epd_check, and keeps
    // what it found under `slot`, below EPD_BATCH, which no other thread has. A failure is returned
    // with file and line in front, the first file's where there are several.
    Status (*read)(void *context, const Epd *records, size_t slot);
    // Takes what was kept, position after position.
    Status (*take)(void *context, size_t slot);
    void *context;
} EpdBatchReader;

// Reads a file, plain or packed; empty lines and those that begin with '#' are passed over. Bad
// lines are errors that name file and line. `hash` goes on over the lines that are not empty,
// whatever the file was packed with.
MUST_CHECK Status epd_batch_read(const char *path, const EpdBatchReader *reader, DistPool *pool,
                                 uint64_t *hash);
// The same of `count` files, which must hold the same positions in the same order: ERR_ARG, with
// the first difference, where they do not. `hash` goes on over the hashes of all.
MUST_CHECK Status epd_batch_read_all(const char *const *paths, size_t count,
                                     const EpdBatchReader *reader, DistPool *pool, uint64_t *hash);
