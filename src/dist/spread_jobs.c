// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"
#include "dist/failure.h"
#include "dist/spread.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Spread {
    const DistJobs *jobs;
    DistRemote *remote;
    DistPool *pool;
    size_t n;
    _Atomic size_t next;
    _Atomic int64_t computed_ns; // here
    _Atomic uint64_t done_here;
    pthread_mutex_t lock;
    DistFailure failure; // guarded by the lock
} Spread;

static void note_failure(Spread *spread, size_t index, Status status) {
    pthread_mutex_lock(&spread->lock);
    dist_failure_note(&spread->failure, index, status);
    pthread_mutex_unlock(&spread->lock);
    atomic_store(&spread->next, spread->n);
}

// One job of the pool: a thread that does what is left.
static Status do_jobs_here(void *context, size_t number, int worker) {
    Spread *spread = context;
    size_t index;
    (void)number;
    while ((index = atomic_fetch_add(&spread->next, 1)) < spread->n) {
        const int64_t start_ns = clock_now_ns();
        const Status status = spread->jobs->here(spread->jobs->context, index, worker);
        atomic_fetch_add(&spread->computed_ns, clock_now_ns() - start_ns);
        atomic_fetch_add(&spread->done_here, 1);
        if (status != OK)
            note_failure(spread, index, status);
    }
    return OK;
}

static bool next_job(void *context, int slot, uint64_t *tag, Str *work) {
    Spread *spread = context;
    size_t index;
    (void)slot;
    while ((index = atomic_fetch_add(&spread->next, 1)) < spread->n) {
        *tag = index;
        if (spread->jobs->pack(spread->jobs->context, index, work))
            return true;
    }
    return false;
}

static void take_answer(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    Spread *spread = context;
    if (status == OK)
        status = spread->jobs->unpack(spread->jobs->context, tag, answer);
    if (status == OK)
        return;
    error_prefix("rank %d", dist_remote_rank_of(spread->remote, slot));
    note_failure(spread, tag, status);
}

static size_t jobs_left(void *context) {
    const Spread *spread = context;
    const size_t next = atomic_load(&spread->next);
    return next < spread->n ? spread->n - next : 0;
}

static bool is_over(void *context) {
    const Spread *spread = context;
    return jobs_left(context) == 0 && !dist_pool_is_busy(spread->pool);
}

Status dist_spread_jobs(DistRemote *remote, DistPool *pool, size_t n, const DistJobs *jobs) {
    if (remote == NULL)
        return dist_pool_run(pool, n, jobs->here, jobs->context);
    Spread spread = {.jobs = jobs, .remote = remote, .pool = pool, .n = n};
    const int threads = dist_pool_threads(pool);
    const DistWork work = {.context = &spread,
                           .next = next_job,
                           .done = take_answer,
                           .is_over = is_over,
                           .left = jobs_left,
                           .local_slots = threads};
    pthread_mutex_init(&spread.lock, NULL);
    dist_pool_start(pool, (size_t)threads, do_jobs_here, &spread);
    dist_remote_run(remote, &work);
    const Status status = dist_pool_finish(pool);
    dist_remote_count(remote, spread.done_here, spread.computed_ns);
    pthread_mutex_destroy(&spread.lock);
    const Status failure = dist_failure_status(&spread.failure);
    str_free(&spread.failure.message);
    return failure == OK ? status : failure;
}
