// SPDX-License-Identifier: GPL-3.0-or-later
// A source of bytes: a plain file, or whatever libarchive opens (.gz .bz2 .xz .zst .zip ...), told
// apart by content, not by name. The members of an archive are read one after the other.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Stream Stream;

// Opens a file, or standard input for "-". Directories, unreadable and empty files are errors;
// every message names the file.
MUST_CHECK Status stream_open(Stream **out, const char *path);
// Fills `buffer` as far as the input allows; fewer bytes than asked for mean the end. On failure (a
// damaged or truncated archive, a failing disk) `got` still tells what came before it.
MUST_CHECK Status stream_read(Stream *stream, void *buffer, size_t size, size_t *got);
// How far into the file as it lies on disk the reading has come, and its size: 0 for a pipe.
uint64_t stream_bytes_read(const Stream *stream);
uint64_t stream_bytes_there(const Stream *stream);
// The name to use in messages ("standard input" for "-"); borrowed.
const char *stream_name(const Stream *stream);
void stream_close(Stream *stream);
CLEANUP_AT(Stream *, stream_close)
