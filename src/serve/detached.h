// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that go on without the server: in a session of their own, with none of its files, and
// with the signals that a program at a terminal has.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

// Starts a program, found in PATH unless it has a slash; argv ends with NULL. `directory` is where
// it runs (NULL: here), `output` takes what it prints (-1: nobody). No shell is asked. ERR_IO where
// it cannot be started. The caller reaps it with detached_is_over, or leaves it to the system.
MUST_CHECK Status detached_start(const char *program, const char *const *argv,
                                 const char *directory, int output, pid_t *out);
// Whether a program that this process started has ended; then its id is free for others.
bool detached_is_over(pid_t pid);
