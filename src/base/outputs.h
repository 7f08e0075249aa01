// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a command reads and writes, checked before it begins: an output must be neither an
// input nor another output, under whatever name, and it must be possible to write it.
#pragma once

#include "base/error.h"

#include <stddef.h>

typedef enum OutputKind {
    OUTPUT_FILE,     // replaced as a whole, as outfile_open does
    OUTPUT_APPENDED, // a file that keeps what is there
    OUTPUT_LOG,      // the same; logs may share a file
    OUTPUT_FOLDER,   // as folder_create makes it
    OUTPUT_MEMBER,   // a file in a folder that is checked or made elsewhere: only compared
} OutputKind;

typedef struct OutputPath OutputPath;

// Empty when all zero.
typedef struct Outputs {
    OutputPath *items; // owned
    size_t count, capacity;
} Outputs;

// Adds a path that is read: a file, "-", or the name of one that comes with the program. One that
// is not there, or is a folder, cannot be lost and is left out. NULL is fine.
void outputs_add_input(Outputs *outputs, const char *path);
// Adds a path that is written; `what` names it in messages ("--output"). A path of NULL is fine.
void outputs_add(Outputs *outputs, OutputKind kind, const char *what, const char *path);
// Adds the files that are written into a folder; `names` ends with NULL. A folder of NULL is fine.
void outputs_add_members(Outputs *outputs, const char *what, const char *folder,
                         const char *const *names);
// ERR_ARG where two of the paths are one file, ERR_IO where one cannot be written; the message
// names them. Pipes and character devices can be written by anybody, any number of times. Nothing
// that is tried stays.
MUST_CHECK Status outputs_check(const Outputs *outputs);
void outputs_free(Outputs *outputs);
