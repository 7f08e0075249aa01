// SPDX-License-Identifier: GPL-3.0-or-later
// Files written whole or not at all, and read whole.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdio.h>

// An output file that appears under its name only when everything is safely on disk.
typedef struct OutFile OutFile;
// Opens a temporary file beside `path` (temporary.h), and removes those that killed processes left
// of the same one. Symbolic links are followed; where `path` is no plain file
// (a pipe, /dev/stdout), it is written directly. A path that ends in .zst is written packed.
MUST_CHECK Status outfile_open(OutFile **out, const char *path);
// Buffered; a failure (full disk) is reported here or at the commit, with the path.
MUST_CHECK Status outfile_write(OutFile *file, const void *data, size_t size);
// Flushes, syncs, renames and frees. On failure the temporary is removed and the old file stands.
MUST_CHECK Status outfile_commit(OutFile *file);
// Removes the temporary and frees; NULL is fine.
void outfile_discard(OutFile *file);
CLEANUP_AT(OutFile *, outfile_discard)

// Writes a whole file in one go, atomically.
MUST_CHECK Status file_write(const char *path, const void *data, size_t size);
// Appends all of a file (or what is packed in it) to `out`; ERR_LIMIT beyond `max` bytes.
MUST_CHECK Status file_read(const char *path, size_t max, Str *out);
// Appends a plain file as it lies on the disk, packed or not.
MUST_CHECK Status file_read_raw(const char *path, Str *out);

// fclose() for CLEANUP (base/error.h); NULL is fine.
static inline void file_close_at(FILE **file) {
    if (*file != NULL)
        fclose(*file);
}
