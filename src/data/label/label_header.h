// SPDX-License-Identifier: GPL-3.0-or-later
// The comment lines at the top of a labelled file, which tell how its labels came about:
// "# label: Toga II 3.0, depth 2".
#pragma once

#include "base/str.h"
#include "eval/weights.h"

#include <stdbool.h>

// Appends one line, as plain text (base/text.h).
[[gnu::format(printf, 2, 3)]] void label_header_add(Str *header, const char *format, ...);
// Appends the line that names weights.
void label_header_add_weights(Str *header, const char *name, const Weights *weights);
// Whether a line of a file, without blanks around it, is of such a header: another labelling
// replaces it.
bool label_header_has(StrView line);
