// SPDX-License-Identifier: GPL-3.0-or-later
// Which folders somebody works in: those that are locked (base/folder.h), as the system tells. To
// try a lock would be to hold it for a moment, in the way of who starts just then.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Locks {
    struct Lock {
        uint64_t file; // its number
        int holder;    // the process
    } * locks;         // owned
    size_t count, capacity;
} Locks;

void locks_read(Locks *locks);
void locks_free(Locks *locks);
// Whether a folder, or the one above it, is locked.
bool locks_hold(const Locks *locks, const char *folder);
bool locks_hold_parent(const Locks *locks, const char *folder);
// Whether it is this process that has locked a folder.
bool locks_hold_by(const Locks *locks, const char *folder, int process);
