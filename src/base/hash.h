// SPDX-License-Identifier: GPL-3.0-or-later
// A hash of bytes that is the same everywhere: it names data, and protects against accidents, not
// against malice. (FNV-1a, 64 bits.)
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START 0xCBF29CE484222325ULL

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3ULL;
    return hash;
}

// The same idea eight bytes at a time, for hundreds of megabytes; another number than hash_bytes,
// and one that depends on the machine's byte order.
static inline uint64_t hash_words(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), byte += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, byte, sizeof word);
        // A product carries upwards only: the high half comes down again.
        hash = (hash ^ word) * 0x100000001B3ULL;
        hash ^= hash >> 32;
    }
    return hash_bytes(hash, byte, size);
}
