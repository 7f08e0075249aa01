// SPDX-License-Identifier: GPL-3.0-or-later
// The weights files that come with the program, by their names.
#pragma once

#include "base/error.h"
#include "base/str.h"

// The path of a weights file: itself where there is such a file, else a bundled one, with or
// without ".weights", in any case: "tal" is weights/players/tal.weights. ERR_IO, with the nearest
// name.
MUST_CHECK Status bundled_locate(const char *name, Str *out);
