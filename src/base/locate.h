// SPDX-License-Identifier: GPL-3.0-or-later
// Finding what comes with the program, from any directory: data sets, experiments, weights.
#pragma once

#include "base/error.h"
#include "base/str.h"

// The path of `name`: itself where there is such a file; else, for a name without a folder, in
// `folder` ("data") below FALCONER_DATA, beside the program or above it (a build in its source
// tree), or in the share folder of an installation. ERR_IO, with the places looked at.
MUST_CHECK Status locate(const char *folder, const char *name, Str *out);

// The same, but never a file that just happens to lie in the current directory.
MUST_CHECK Status locate_shipped(const char *folder, const char *name, Str *out);

// Appends the names of files in `folder`, in all of these places, that end in `ending`: without it,
// a line each, none twice.
void locate_list(const char *folder, const char *ending, Str *out);

// Appends the program's own folder; nothing where the system does not tell.
void locate_program_folder(Str *out);
