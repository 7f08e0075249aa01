// SPDX-License-Identifier: GPL-3.0-or-later
// A process for good: its number, which others get after it, with the moment it began. What was
// written down names the same process later, or none.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_BOOT_SIZE = 40 };

typedef struct ProcessId {
    int64_t pid;                  // 0: none
    int64_t began;                // ticks since the machine started
    char boot[PROCESS_BOOT_SIZE]; // which start of the machine that was
} ProcessId;

// ERR_IO where there is no such process.
MUST_CHECK Status process_id_of(pid_t pid, ProcessId *out);
// Whether it is still at work; one that has ended and waits to be reaped is not.
bool process_id_is_alive(const ProcessId *process);
// Sends SIGINT to it and to nobody else, whatever happens meanwhile. ERR_ARG where it is gone.
MUST_CHECK Status process_id_interrupt(const ProcessId *process);
