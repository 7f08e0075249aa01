// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a run that grow with each generation: rows begin with the numbers of a generation and
// of an organism.
#pragma once

#include "base/journal.h"

enum { GENERATION_ROWS_BYTES_MAX = 1 << 26 }; // what would make a file longer is not kept

// Opens DIRECTORY/NAME to go on with a generation: rows from it on are removed, and one that a kill
// cut short. A run of an earlier version has no such file, and its first generations are not in it.
// ERR_PARSE where the header is another or a row does not begin so; `what` says what rows are.
MUST_CHECK Status generation_rows_open(Journal *out, const char *directory, const char *name,
                                       const Str *header, const char *what, uint32_t generation);
// Appends the rows of a generation, if the file stays short enough.
MUST_CHECK Status generation_rows_add(Journal *journal, const Str *rows);
