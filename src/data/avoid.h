// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that a sample must keep away from: those of a test set.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Keys of positions, rising; {0} is empty.
typedef struct AvoidSet {
    uint64_t *keys; // owned
    size_t count, capacity;
} AvoidSet;

// Adds the positions of an EPD file; the set must be sorted before it is asked.
MUST_CHECK Status avoid_load(AvoidSet *set, const char *path);
void avoid_sort(AvoidSet *set);
bool avoid_has(const AvoidSet *set, uint64_t key);
void avoid_free(AvoidSet *set);
