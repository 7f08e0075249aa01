// SPDX-License-Identifier: GPL-3.0-or-later
// What an organism of a run is put beside: weights that are shipped for its family, and the optimum
// where the run has computed it.
#pragma once

#include "base/error.h"
#include "base/str.h"

// The name of the shipped weights of a family, and what to call them; NULL where there are none.
const char *reference_of(const char *family, const char **title);
// Appends the keys `reference`, with title and values by their names, and `optimum`, values and
// standard errors by their names; null where there is none. `optimum` is the path of optimum.csv;
// its numbers are so many to one of the family's values.
void reference_write(const char *family, const char *optimum, Str *out);
