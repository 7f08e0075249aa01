// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for messages without burning a core: MPI's own waiting does. Who looks again and again
// rests between looks, a fraction of the time it has waited already, so that it is never late by
// more than that fraction, nor by more than a millisecond.
#pragma once

#include "base/clock.h"

#include <sched.h>
#include <sys/prctl.h>

typedef struct Patience {
    int64_t since_ns; // 0: something has just happened
    int64_t eager_ns; // so long it looks without a rest; 0: PATIENCE_EAGER_NS
} Patience;

enum { PATIENCE_EAGER_NS = 50000, PATIENCE_SHARE = 8, PATIENCE_MOST_NS = 1000000 };

// Once for each thread that waits: as the system has it, every sleep takes 50 microseconds more.
static inline void patience_sharpen(void) {
    (void)prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
}

static inline void patience_end(Patience *patience) {
    patience->since_ns = 0;
}

// Nothing was there: rests a little.
static inline void patience_rest(Patience *patience) {
    const int64_t now = clock_now_ns();
    if (patience->since_ns == 0)
        patience->since_ns = now;
    const int64_t waited = now - patience->since_ns;
    if (waited < (patience->eager_ns > 0 ? patience->eager_ns : PATIENCE_EAGER_NS)) {
        sched_yield();
        return;
    }
    const int64_t rest = waited / PATIENCE_SHARE;
    const struct timespec time = {.tv_nsec = rest < PATIENCE_MOST_NS ? rest : PATIENCE_MOST_NS};
    nanosleep(&time, NULL);
}
