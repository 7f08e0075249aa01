// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is spread over this rank and the others, with results placed by index: they are the
// same for any number of ranks, however fast each is. Without a team it is all done here.
#pragma once

#include "dist/crew.h"
#include "dist/pool.h"

// Jobs that one thread does each, such as games.
typedef struct DistJobs {
    void *context;
    // Does it in this rank; by several threads at a time.
    DistJob here;
    // Appends it as work for the team's service; false where it need not be done any more. `pack`
    // and `unpack` are called by one thread, but while others are in `here`.
    bool (*pack)(void *context, size_t index, Str *out);
    // Takes the answer to it.
    Status (*unpack)(void *context, size_t index, StrView answer);
} DistJobs;

// Does all n jobs, begun in order of index, on the pool's threads and the team's seats. When some
// fail, those not yet begun are left out, and the failure of the lowest index that failed is
// returned.
MUST_CHECK Status dist_spread_jobs(DistTeam *team, DistPool *pool, size_t n, const DistJobs *jobs);

// A range of many small things, such as positions, of which a rank takes a part with all its
// threads.
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
    double *seat_ns; // of each seat
    uint64_t calls;
} DistPace;
void dist_pace_free(DistPace *pace);

// Does all n of them in parts that should end at the same time; all here where messages would take
// longer than they save. The team's service must be one that is asked by rank.
MUST_CHECK Status dist_spread_parts(DistTeam *team, DistPace *pace, size_t n,
                                    const DistParts *parts);
