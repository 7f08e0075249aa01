// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that a long piece of work writes into, one process at a time.
#pragma once

#include "base/status.h"

// Makes the folder, with those above it; it may be there already.
MUST_CHECK Status folder_create(const char *path);
// Holds the folder for this process, until folder_unlock or its death; ERR_ARG where another has
// it. `what` is what the folder holds, for the message.
MUST_CHECK Status folder_lock(const char *path, const char *what, int *lock);
void folder_unlock(int lock);
