// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for whole populations, whose size a user chose, and reading them back.
#pragma once

#include "base/bytes.h"
#include "evolve/space.h"

// Zeroed memory for count times size bytes, to be freed with free(), or NULL with a message of
// ERR_LIMIT: return that.
void *storage_new(size_t count, size_t size);
// Reads organisms; in->failed when one is outside its box.
void storage_load_organisms(const EvolveSpace *space, ByteReader *in, double *parameters,
                            size_t count);
