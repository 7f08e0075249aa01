// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in, zstd out, through libarchive. The same bytes in give the same bytes out: no time, name
// or number of threads gets into them.
#pragma once

#include "base/error.h"

#include <stddef.h>

typedef struct Packer Packer;
// Where the packed bytes go; the message of a failure is its own.
typedef Status PackSink(void *context, const void *data, size_t size);

MUST_CHECK Status packer_open(Packer **out, PackSink *sink, void *context);
MUST_CHECK Status packer_write(Packer *packer, const void *data, size_t size);
// Gives out what is left. Nothing may be written afterwards.
MUST_CHECK Status packer_finish(Packer *packer);
// NULL is fine. Without packer_finish before it, what was packed is incomplete.
void packer_free(Packer *packer);
