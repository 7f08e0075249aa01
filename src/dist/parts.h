// SPDX-License-Identifier: GPL-3.0-or-later
// A range of many small things, such as positions, shared out among this rank and the others in
// parts that should end at the same time. Without other ranks it is all done here.
#pragma once

#include "dist/ranks.h"

// A rank does its part with all its threads.
typedef struct DistParts {
    void *context;
    size_t grain;  // parts are multiples of this, but for the last
    double weight; // how much work each is, in whatever unit
    Status (*here)(void *context, size_t first, size_t count);
    void (*pack)(void *context, size_t first, size_t count, Str *out);
    Status (*unpack)(void *context, size_t first, size_t count, StrView answer);
} DistParts;

// How fast ranks were so far; zero to begin with, and kept from one call to the next.
typedef struct DistPace {
    double here_ns;  // of one thing, for each unit of its weight
    double *slot_ns; // of each slot
    uint64_t calls;
} DistPace;
void dist_pace_free(DistPace *pace);

// Does all n of them in parts that should end at the same time; all here where messages would take
// longer than they save. The remote's service must be one that is asked by rank.
MUST_CHECK Status dist_parts_run(DistRemote *remote, DistPace *pace, size_t n,
                                 const DistParts *parts);
