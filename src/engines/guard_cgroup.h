// SPDX-License-Identifier: GPL-3.0-or-later
// A control group (cgroup v2) of an engine's own, where this process may make one: it ends all of
// its processes at once, however fast they fork. Private to the guard.
#pragma once

// Longer paths than this are not used.
enum { GUARD_CGROUP_PATH = 512 };

// All zero but for `procs` where there is none.
typedef struct GuardCgroup {
    char path[GUARD_CGROUP_PATH]; // "": none
    int procs;                    // a process that writes "0" to it joins; -1: none
} GuardCgroup;

// Also ends and removes those of guards that were killed.
void guard_cgroup_open(GuardCgroup *group);
void guard_cgroup_kill(const GuardCgroup *group);
// Removes it, when no process is left in it.
void guard_cgroup_close(GuardCgroup *group);
