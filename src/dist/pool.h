// SPDX-License-Identifier: GPL-3.0-or-later
// Independent jobs on the threads of this process. What a job computes may depend on its index
// alone, never on the thread that runs it, so that results are the same for any number of threads.
#pragma once

#include "base/error.h"
#include "dist/ranks.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct DistPool DistPool;
typedef Status (*DistJob)(void *context, size_t index, int worker);

// The cores this process may run on, at least 1: the default for a number of threads.
int dist_cores(void);
// So many processes, this one among them, are allowed to run on the same cores: each has its share
// of them. To be called before anybody asks.
void dist_cores_share(int processes);

// `threads` counts the caller's own, which works too; the others are started when there is work for
// them, and sleep between runs.
DistPool *dist_pool_new(int threads);
void dist_pool_free(DistPool *pool);
CLEANUP_AT(DistPool *, dist_pool_free)
int dist_pool_threads(const DistPool *pool);

// Runs job(context, index, worker) once for every index below n, begun in order of index, with
// worker below the number of threads. When jobs fail, those not yet begun are left out, and the
// failure of the lowest index that failed is returned, with its message.
MUST_CHECK Status dist_pool_run(DistPool *pool, size_t n, DistJob job, void *context);

// The same in the background, on as many threads, while the caller does something else: to be
// followed by dist_pool_finish, which waits for the end. Nothing else may use the pool meanwhile.
void dist_pool_start(DistPool *pool, size_t n, DistJob job, void *context);
bool dist_pool_is_busy(DistPool *pool);
// The same after waiting for the end, but no longer than this.
bool dist_pool_wait(DistPool *pool, int64_t most_ns);
MUST_CHECK Status dist_pool_finish(DistPool *pool);

// Work that is done on this pool may be done by other ranks too, each with so many threads (0: one
// for each core it may run on). Borrowed; NULL where there are none.
void dist_pool_set_ranks(DistPool *pool, DistRanks *ranks, int threads);
DistRanks *dist_pool_ranks(const DistPool *pool);
int dist_pool_rank_threads(const DistPool *pool);
