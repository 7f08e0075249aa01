// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of numbers as JSON, whole or thinned out.
#pragma once

#include "base/str.h"

enum { COLUMNS_SMALL = 60 }; // points of a small curve

// A number of a row.
typedef double ColumnAt(const void *rows, size_t index);

// Appends rows `first` to `end`, without that.
void columns_write(const void *rows, size_t first, size_t end, ColumnAt *at, Str *out);
// Appends at most `most` of them, evenly spread, the last always.
void columns_write_thinned(const void *rows, size_t count, ColumnAt *at, size_t most, Str *out);
// Appends the numbers of a text with commas between them, up to what is none; NULL: none.
void columns_write_cells(const char *text, Str *out);
