// SPDX-License-Identifier: GPL-3.0-or-later
// What a name that nobody has may have meant: surnames are compared letter by letter.
#pragma once

#include "base/error.h"
#include "base/str.h"

// Appends the names in the files that are most like the one asked for, at most `most` of them, with
// how many games each has: "Kasparov, Garry (1021 games)". Nothing where none is like it.
MUST_CHECK Status near_names(const char *asked, const char *const *paths, size_t path_count,
                             size_t most, Str *out);
