// SPDX-License-Identifier: GPL-3.0-or-later
// Another engine's coefficients as a labelled set to learn from.
#pragma once

#include "fitness/linear/coefficient_reader.h"
#include "fitness/linear/mentor_set.h"

// True of a file that can be read and begins as a file of coefficients does.
bool coefficients_are_in(const char *path);
// Reads the header of a file of coefficients; free it with coefficient_header_destroy.
MUST_CHECK Status coefficient_header_load(CoefficientHeader **out, const char *path);
// Reads a set whose labels are centipawns and whose header must agree with the given one. Of the
// options, the limit on scores counts alone: there are no positions that the others could look at.
MUST_CHECK Status coefficient_set_load(MentorSet *out, const char *path,
                                       const CoefficientHeader *header,
                                       const MentorSetOptions *options);
