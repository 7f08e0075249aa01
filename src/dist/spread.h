// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is spread over this rank and the others, with results placed by index: they are the
// same for any number of ranks, however fast each is. Without a remote it is all done here.
#pragma once

#include "dist/pool.h"
#include "dist/ranks.h"

// Jobs that one thread does each, such as games.
typedef struct DistJobs {
    void *context;
    // Does it in this rank; by several threads at a time.
    DistJob here;
    // Appends it as work for the remote's service; false where it need not be done any more. `pack`
    // and `unpack` are called by one thread, but while others are in `here`.
    bool (*pack)(void *context, size_t index, Str *out);
    // Takes the answer to it.
    Status (*unpack)(void *context, size_t index, StrView answer);
} DistJobs;

// Does all n jobs, begun in order of index, on the pool's threads and the remote's slots. When some
// fail, those not yet begun are left out, and the failure of the lowest index that failed is
// returned.
MUST_CHECK Status dist_spread_jobs(DistRemote *remote, DistPool *pool, size_t n,
                                   const DistJobs *jobs);
