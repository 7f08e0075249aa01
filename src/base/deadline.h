// SPDX-License-Identifier: GPL-3.0-or-later
// A time by which somebody else must be done. It starts anew where this program was stopped
// meanwhile.
#pragma once

#include "base/clock.h"
#include "base/suspend.h"

#include <stdbool.h>

typedef struct Deadline {
    int64_t at_ns, length_ns;
    uint64_t suspends; // when it was set
} Deadline;

static inline Deadline deadline_in_ms(int64_t ms) {
    const int64_t length_ns = ms * 1000000;
    return (Deadline){clock_now_ns() + length_ns, length_ns, suspend_count()};
}

// Whether `now_ns` is too late. To be asked with times that are late alone, for it costs a call of
// the system.
static inline bool deadline_is_over(Deadline *deadline, int64_t now_ns) {
    if (now_ns <= deadline->at_ns)
        return false;
    const uint64_t suspends = suspend_count();
    if (suspends == deadline->suspends)
        return true;
    deadline->suspends = suspends;
    deadline->at_ns = clock_now_ns() + deadline->length_ns;
    return false;
}
