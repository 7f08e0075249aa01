// SPDX-License-Identifier: GPL-3.0-or-later
// Temporary files: TARGET.falconer-XXXXXX.tmp beside the file they are to become. The name is
// reserved for them, and whoever writes one holds a lock on it, so that a file which a killed
// process left is told from one that is being written, and from everything else.
#pragma once

#include "base/error.h"

#include <sys/types.h>

// Creates one for `target`, with its mode where it exists, else with that of a new file. The caller
// owns the name and the descriptor, which holds the lock.
MUST_CHECK Status temporary_create(const char *target, char **name, int *fd);

// Removes what killed processes left of temporaries for `target`.
void temporary_sweep_target(const char *target);
// Removes what killed processes left of any temporaries in a folder of ours.
void temporary_sweep_folder(const char *directory);
