// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a file of coefficients, which any engine can dump: its parameters, and what labels
// and counts mean. docs/formats.md has the format.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "eval/family.h"

// What the positions are labelled with, as White sees it.
typedef enum CoefficientLabel { LABEL_NONE, LABEL_CENTIPAWNS, LABEL_RESULT } CoefficientLabel;

// A foreign family. A score is the sum of counts times parameters; `family.scale` of it are a
// centipawn. The family points into the header, which must not be moved.
typedef struct CoefficientHeader {
    Family family;
    CoefficientLabel label; // LABEL_NONE until it was said
    Term *terms;            // names are owned
    size_t capacity;
} CoefficientHeader;

// True of the first line of such a file, of any version.
bool coefficient_header_is_first(StrView line);

// A header that nothing was said of yet.
CoefficientHeader *coefficient_header_create(void);
void coefficient_header_destroy(CoefficientHeader *header);
// Reads the first line, and any other of the header; messages name no place.
MUST_CHECK Status coefficient_header_begin(StrView line);
MUST_CHECK Status coefficient_header_add(CoefficientHeader *header, StrView line);
// Fails where something is missing, and makes the family.
MUST_CHECK Status coefficient_header_finish(CoefficientHeader *header);
// Fails, with what differs, where `other` is not the header of the same evaluation. Defaults may
// differ.
MUST_CHECK Status coefficient_header_compare(const CoefficientHeader *header,
                                             const CoefficientHeader *other);
