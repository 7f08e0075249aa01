// SPDX-License-Identifier: GPL-3.0-or-later
// Input files that are not read from the disk but were sent by another process: a thread that is
// supplied reads those bytes when it opens a stream on one of their paths, and finds no other
// files.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>

// Adds a file to those supplied to this thread; the bytes are copied.
MUST_CHECK Status supplied_add(const char *path, StrView bytes);
// Forgets them all: files are looked for on the disk again.
void supplied_clear(void);

// True where there are supplied files: then the others do not exist.
bool supplied_any(void);
// A new descriptor at the beginning of a supplied file; -1, with errno set, where there is no such.
int supplied_open(const char *path);
// Whether there is such a file: among those supplied, or on the disk where none are.
bool supplied_or_there(const char *path);
