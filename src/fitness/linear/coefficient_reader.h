// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file of coefficients, position by position.
#pragma once

#include "fitness/linear/coefficient_header.h"

// How often a position has what parameter `index` is the worth of.
typedef struct CoefficientEntry {
    uint16_t index;
    int16_t count; // never 0
} CoefficientEntry;

// As White sees it. Whatever the parameters are within their bounds, the score and its distance
// from the label fit 32 bits.
typedef struct CoefficientPosition {
    int32_t label;  // centipawns, or half points that White made of the game
    int32_t offset; // what no parameter changes of the score, in the family's scale
    const CoefficientEntry *entries; // borrowed until the next position is read
    size_t count;
} CoefficientPosition;

typedef struct CoefficientReader CoefficientReader;

// Opens a file, plain or packed, and reads its header. Messages name file and line.
MUST_CHECK Status coefficient_reader_open(CoefficientReader **out, const char *path);
void coefficient_reader_close(CoefficientReader *reader);
CLEANUP_AT(CoefficientReader *, coefficient_reader_close)
const CoefficientHeader *coefficient_reader_header(const CoefficientReader *reader);
// Reads the next position; `got` is false at the end. A file without any is an error.
MUST_CHECK Status coefficient_reader_next(CoefficientReader *reader, CoefficientPosition *out,
                                          bool *got);
// Writes the counts of a position one after the other, 0 where there is none.
void coefficient_position_spread(const CoefficientPosition *position, int16_t *counts,
                                 size_t count);

// True of a file that can be read and begins as a file of coefficients does.
bool coefficient_file_is(const char *path);
// Reads the header of a file of coefficients; free it with coefficient_header_destroy.
MUST_CHECK Status coefficient_header_load(CoefficientHeader **out, const char *path);
// Reads a whole file, position after position; its header must agree with the given one. `hash` is
// of the lines that are not empty, whatever the file was packed with.
typedef Status CoefficientTake(void *context, const CoefficientPosition *position);
MUST_CHECK Status coefficient_file_read(const char *path, const CoefficientHeader *header,
                                        CoefficientTake *take, void *context, uint64_t *hash);
