// SPDX-License-Identifier: GPL-3.0-or-later
// Polling with back-off, for MPI's own waiting burns a core. The pause between two polls is a
// fraction of the time waited so far, so that a message is never late by more than that fraction,
// nor by more than a millisecond.
#pragma once

#include "base/clock.h"

#include <sched.h>
#include <sys/prctl.h>

typedef struct Backoff {
    int64_t since_ns; // 0: a message has just come
    int64_t eager_ns; // so long it polls without a pause; 0: BACKOFF_EAGER_NS
} Backoff;

enum { BACKOFF_EAGER_NS = 50000, BACKOFF_SHARE = 8, BACKOFF_MOST_NS = 1000000 };

// Once for each thread that polls: Linux lets every sleep take 50 microseconds longer by default.
static inline void backoff_sharpen_timer(void) {
    (void)prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
}

// A message has come.
static inline void backoff_reset(Backoff *backoff) {
    backoff->since_ns = 0;
}

// None has come: pauses.
static inline void backoff_wait(Backoff *backoff) {
    const int64_t now = clock_now_ns();
    if (backoff->since_ns == 0)
        backoff->since_ns = now;
    const int64_t waited = now - backoff->since_ns;
    if (waited < (backoff->eager_ns > 0 ? backoff->eager_ns : BACKOFF_EAGER_NS)) {
        sched_yield();
        return;
    }
    const int64_t pause = waited / BACKOFF_SHARE;
    const struct timespec time = {.tv_nsec = pause < BACKOFF_MOST_NS ? pause : BACKOFF_MOST_NS};
    nanosleep(&time, NULL);
}
