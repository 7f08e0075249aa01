// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that a long piece of work writes into, one process at a time, and only where
// nothing of somebody else's is in the way.
#pragma once

#include "base/error.h"

// Makes the folder, with those above it; it may be there already.
MUST_CHECK Status folder_create(const char *path);
// ERR_ARG, with names, where the folder holds a file that `what` would write: nothing there
// says that it was ours. `patterns` are those files, as fnmatch has them, ended by NULL. A folder
// that is not there is fine.
MUST_CHECK Status folder_check_unused(const char *path, const char *const *patterns,
                                      const char *what);
// Holds the folder for this process, until folder_unlock or its death; ERR_ARG where another has
// it. `what` is what the folder holds, for the message.
MUST_CHECK Status folder_lock(const char *path, const char *what, int *lock);
void folder_unlock(int lock);
// For CLEANUP (base/error.h): CLEANUP(folder_unlock_at) int lock = -1;
CLEANUP_AT(int, folder_unlock)
