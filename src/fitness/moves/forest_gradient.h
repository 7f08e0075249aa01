// SPDX-License-Identifier: GPL-3.0-or-later
// The slope of the smooth stand-in, from the trees themselves: the score of a move changes as the
// leaf does that decides it.
#pragma once

#include "fitness/gradient/slope.h"
#include "fitness/moves/forest.h"

// Coefficients are real numbers.
MUST_CHECK Status forest_slope(const Forest *forest, const double *coefficients, SlopeKind kind,
                               DistPool *pool, Slope *out);
// The same for who goes down slopes; the forest is borrowed.
SlopeSource forest_slope_source(const Forest *forest);
