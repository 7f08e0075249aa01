// SPDX-License-Identifier: GPL-3.0-or-later
// The guard: a small process between this program and an engine, which owns the engine and ends all
// of its descendants when the engine ends, when it is told to, or when this program is gone,
// however it went. It is this program itself, executed again under the name GUARD_NAME: a
// constructor in guard.c takes over before main(). The engine's pipes do not pass through it.
// Private to src/engines.
#pragma once

#define GUARD_NAME "falconer-guard"
// The same, from guard.c: whoever uses it is linked with the guard.
extern const char guard_name[];

enum {
    GUARD_CONTROL_FD = 3, // a SOCK_SEQPACKET; 0, 1 and 2 are the engine's
    GUARD_TERM_MS = 300,  // between SIGTERM and SIGKILL
    GUARD_SWEEP_MS = 5000 // for descendants that cannot be killed
};

// argv of the guard; the engine's own follow.
enum { GUARD_ARG_NAME, GUARD_ARG_LIMITS, GUARD_ARG_DIR, GUARD_ARG_ENGINE };

// How ProcessLimits are written in argv: in the order of the fields.
#define GUARD_LIMITS_FORMAT "%llu %llu %llu"

// What the guard tells, in this order: FAILED, or STARTED and ENDED.
typedef enum GuardNews { GUARD_FAILED, GUARD_STARTED, GUARD_ENDED } GuardNews;

typedef struct GuardReport {
    GuardNews news;
    int code;  // of ENDED: CLD_EXITED or another of waitid's
    int value; // an errno, the engine's id, or its exit code or signal
} GuardReport;

// What the guard is asked: to end the engine, with so much time to do so by itself.
typedef struct GuardOrder {
    int grace_ms;
} GuardOrder;
