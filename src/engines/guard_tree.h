// SPDX-License-Identifier: GPL-3.0-or-later
// Processes as /proc tells of them. Private to src/engines.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// Sends SIGKILL to each child of this process; those of a child become ours when it is gone, where
// this process is a subreaper.
void guard_tree_kill_children(void);
// Reaps all children that have ended. True when there are no others.
bool guard_tree_reap(void);
// False when there is none, or only its entry until somebody reaps it.
bool guard_tree_is_alive(pid_t pid);
