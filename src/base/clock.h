// SPDX-License-Identifier: GPL-3.0-or-later
// Time that only moves forward.
#pragma once

#include <stdint.h>
#include <time.h>

static inline int64_t clock_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline double clock_seconds_since(int64_t start_ns) {
    return (double)(clock_now_ns() - start_ns) / 1e9;
}
