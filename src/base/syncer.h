// SPDX-License-Identifier: GPL-3.0-or-later
// Brings files that are appended to to the disk itself, every two seconds while they grow, so that
// a power cut loses seconds. A thread of its own does it: nobody waits for the disk.
#pragma once

#include "base/error.h"

#include <stddef.h>

enum { SYNCER_FILES_MAX = 4, SYNCER_SECONDS = 2 };

typedef struct Syncer Syncer;

// `files` are descriptors, synced in this order; those below 0 are passed over. They stay the
// caller's, and must be open until syncer_stop.
Syncer *syncer_start(const int *files, size_t count);
// Says that something was appended; a failure of an earlier sync is returned here.
MUST_CHECK Status syncer_mark_dirty(Syncer *syncer);
// Syncs what is left, ends the thread and frees; NULL is fine. The first failure, if there was any.
MUST_CHECK Status syncer_stop(Syncer *syncer);
