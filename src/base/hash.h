// SPDX-License-Identifier: GPL-3.0-or-later
// A hash of bytes that is the same everywhere: it names data, and protects against accidents, not
// against malice. (FNV-1a, 64 bits.)
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xCBF29CE484222325ULL

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3ULL;
    return hash;
}
