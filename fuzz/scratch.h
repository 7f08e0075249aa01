// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for the fuzz targets whose readers open files: in memory where that can be had, and
// removed at the end. An input holds several files, one after the other.
#pragma once

#include "base/str.h"
#include "fuzz/fuzz.h"

// The folder, which is made at the first call. Borrowed.
const char *scratch_folder(void);
// Writes FOLDER/NAME, whose folders are made, without waiting for a disk.
void scratch_write(const char *name, StrView bytes);
// Removes FOLDER/NAME where it exists.
void scratch_remove(const char *name);
// Appends all of FOLDER/NAME; false where it does not exist.
bool scratch_read(const char *name, Str *out);

// Cuts the next file off an input: files end with a line "====". False behind the last.
bool scratch_next_part(StrView *rest, StrView *part);
// Writes each part of an input under its name; files for which there is no part are removed.
void scratch_write_parts(StrView input, const char *const *names, size_t count);
