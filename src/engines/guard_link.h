// SPDX-License-Identifier: GPL-3.0-or-later
// This program's side of a guard (guard.h): starts it with its engine, learns how the engine ended,
// and makes sure of the end of both. Private to src/engines.
#pragma once

#include "engines/guard.h"
#include "engines/process.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct GuardLaunch {
    const char *const *argv; // ended by NULL
    const char *dir;         // NULL: where we are
    int in, out, err;        // become the engine's 0, 1 and 2
    ProcessLimits limits;
} GuardLaunch;

typedef struct GuardLink {
    pid_t guard, engine;
    int control;   // becomes readable when the engine itself ends
    bool is_ended; // `end` tells how
    GuardReport end;
} GuardLink;

// 0, or the errno that kept the engine from being started.
int guard_link_start(GuardLink *link, const GuardLaunch *launch);
// Waits for the engine's end; false when it does not come in time.
bool guard_link_wait(GuardLink *link, int wait_ms);
// Gives the engine time to end by itself, then ends it and all its descendants.
void guard_link_close(GuardLink *link, int grace_ms);
