// SPDX-License-Identifier: GPL-3.0-or-later
// Packed files, one of two ways: packing_archive.c unpacks and packs by libarchive, packing_none.c
// refuses both, for an engine that needs no libraries.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What an unpacker reads from. `more` gives the next bytes, which last until it is asked again, or
// none at the end.
typedef struct PackedInput {
    const char *name; // for messages
    const char *head; // the first bytes, which `more` gives again
    size_t head_size;
    int fd; // of the whole file, for pread(); -1 where it is a pipe
    Status (*more)(void *context, const void **bytes, size_t *count);
    void *context;
} PackedInput;

typedef struct Unpacker Unpacker;
// `input` is copied; its name must outlive the unpacker.
MUST_CHECK Status unpacker_open(Unpacker **out, const PackedInput *input);
// As stream_read.
MUST_CHECK Status unpacker_read(Unpacker *unpacker, char *buffer, size_t size, size_t *got);
void unpacker_close(Unpacker *unpacker);
CLEANUP_AT(Unpacker *, unpacker_close)

typedef struct PackedOutput {
    Status (*write)(void *context, const void *bytes, size_t count);
    void *context;
} PackedOutput;

// Bytes in, zstd out. The same bytes in give the same bytes out: no time, name or number of threads
// gets into them.
typedef struct Packer Packer;
MUST_CHECK Status packer_open(Packer **out, const PackedOutput *output);
MUST_CHECK Status packer_write(Packer *packer, const void *data, size_t size);
// Writes what is left; nothing more may follow.
MUST_CHECK Status packer_finish(Packer *packer);
// Writes nothing more.
void packer_close(Packer *packer);
CLEANUP_AT(Packer *, packer_close)
