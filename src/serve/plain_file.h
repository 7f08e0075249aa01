// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the folders that are served, read without following a link anywhere on the way: what
// lies in a folder cannot make the server read what lies elsewhere.
#pragma once

#include "base/error.h"
#include "base/str.h"

// A descriptor of a plain file, or -1 with errno. The path has no link in it: it begins with a
// folder's real path.
int plain_open(const char *path);
// Appends all of it; ERR_LIMIT beyond `max` bytes.
MUST_CHECK Status plain_read(const char *path, size_t max, Str *out);
// Appends `length` bytes from `from` on; ERR_IO where there are fewer.
MUST_CHECK Status plain_read_part(const char *path, uint64_t from, size_t length, Str *out);
// Whether there is such a file.
bool plain_exists(const char *path);
