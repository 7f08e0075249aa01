// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/pool.h"

#include "base/clock.h"
#include "base/mem.h"
#include "dist/failure.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Helper {
    DistPool *pool;
    pthread_t thread;
    int worker;
    uint64_t seen; // the run it took part in last
} Helper;

struct DistPool {
    Helper *helpers;      // the first stands in for the caller where that is away
    int threads, started; // `started` without the first
    bool has_stand_in;
    DistRanks *ranks;
    int rank_threads; // of each other rank
    pthread_mutex_t lock;
    pthread_cond_t work_there, work_done;
    // Guarded by the lock: the run that is going on, and who still works on it.
    uint64_t run;
    int busy;
    bool is_caller_away, is_closing;
    DistJob job;
    void *context;
    size_t n;
    _Atomic size_t next;
    DistFailure failure; // guarded by the lock
};

static void note_failure(DistPool *pool, size_t index, Status status) {
    pthread_mutex_lock(&pool->lock);
    dist_failure_note(&pool->failure, index, status);
    pthread_mutex_unlock(&pool->lock);
    atomic_store(&pool->next, pool->n);
}

static void work(DistPool *pool, int worker) {
    size_t index;
    while ((index = atomic_fetch_add(&pool->next, 1)) < pool->n) {
        const Status status = pool->job(pool->context, index, worker);
        if (status != OK)
            note_failure(pool, index, status);
    }
}

static void *help(void *argument) {
    const Helper *self = argument;
    DistPool *pool = self->pool;
    uint64_t seen = self->seen;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->run == seen && !pool->is_closing)
            pthread_cond_wait(&pool->work_there, &pool->lock);
        if (pool->is_closing)
            break;
        seen = pool->run;
        if (self->worker == 0 && !pool->is_caller_away)
            continue;
        pthread_mutex_unlock(&pool->lock);
        work(pool, self->worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// How many processes share the cores; written once, before there are threads.
static int sharing = 1;

int dist_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int cores = CPU_COUNT(&set) / sharing;
    return cores > 0 ? cores : 1;
}

void dist_cores_share(int processes) {
    sharing = processes > 1 ? processes : 1;
}

DistPool *dist_pool_new(int threads) {
    DistPool *pool = mem_alloc_zero(1, sizeof *pool);
    pool->threads = threads > 1 ? threads : 1;
    pool->helpers = mem_alloc_zero((size_t)pool->threads, sizeof *pool->helpers);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_there, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    return pool;
}

void dist_pool_free(DistPool *pool) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_closing = true;
    pthread_cond_broadcast(&pool->work_there);
    pthread_mutex_unlock(&pool->lock);
    for (int i = pool->has_stand_in ? 0 : 1; i <= pool->started; i++)
        pthread_join(pool->helpers[i].thread, NULL);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_there);
    pthread_mutex_destroy(&pool->lock);
    str_free(&pool->failure.message);
    free(pool->helpers);
    free(pool);
}

int dist_pool_threads(const DistPool *pool) {
    return pool->threads;
}

static void prepare(DistPool *pool, size_t n, DistJob job, void *context) {
    pool->job = job;
    pool->context = context;
    pool->n = n;
    pool->failure.status = OK;
    atomic_store(&pool->next, 0);
}

// As many as there are jobs for. Many a pool is asked for nothing but its number of threads.
static void start_helpers(DistPool *pool) {
    while (pool->started + 1 < pool->threads && (size_t)pool->started + 1 < pool->n) {
        Helper *helper = &pool->helpers[pool->started + 1];
        *helper = (Helper){.pool = pool, .worker = pool->started + 1, .seen = pool->run};
        // Where the system gives no more threads, fewer do the same work.
        if (pthread_create(&helper->thread, NULL, help, helper) != 0)
            break;
        pool->started++;
    }
}

static void call_helpers(DistPool *pool, bool is_caller_away) {
    start_helpers(pool);
    pthread_mutex_lock(&pool->lock);
    pool->run++;
    pool->is_caller_away = is_caller_away;
    pool->busy = pool->started + is_caller_away;
    pthread_cond_broadcast(&pool->work_there);
    pthread_mutex_unlock(&pool->lock);
}

static Status wait_for_helpers(DistPool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return dist_failure_status(&pool->failure);
}

Status dist_pool_run(DistPool *pool, size_t n, DistJob job, void *context) {
    prepare(pool, n, job, context);
    if (n > 1 && pool->threads > 1)
        call_helpers(pool, false);
    work(pool, 0);
    return wait_for_helpers(pool);
}

void dist_pool_start(DistPool *pool, size_t n, DistJob job, void *context) {
    Helper *stand_in = &pool->helpers[0];
    prepare(pool, n, job, context);
    if (!pool->has_stand_in) {
        *stand_in = (Helper){.pool = pool, .seen = pool->run};
        pool->has_stand_in = pthread_create(&stand_in->thread, NULL, help, stand_in) == 0;
    }
    if (pool->has_stand_in)
        call_helpers(pool, true);
    else
        work(pool, 0);
}

bool dist_pool_is_busy(DistPool *pool) {
    pthread_mutex_lock(&pool->lock);
    const bool is_busy = pool->busy > 0;
    pthread_mutex_unlock(&pool->lock);
    return is_busy;
}

bool dist_pool_wait(DistPool *pool, int64_t most_ns) {
    const int64_t until_ns = clock_now_ns() + most_ns;
    const struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
    int code = 0;
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0 && code == 0)
        code = pthread_cond_clockwait(&pool->work_done, &pool->lock, CLOCK_MONOTONIC, &until);
    const bool is_busy = pool->busy > 0;
    pthread_mutex_unlock(&pool->lock);
    return is_busy;
}

Status dist_pool_finish(DistPool *pool) {
    return wait_for_helpers(pool);
}

void dist_pool_set_ranks(DistPool *pool, DistRanks *ranks, int threads) {
    pool->ranks = ranks;
    pool->rank_threads = threads;
}

int dist_pool_rank_threads(const DistPool *pool) {
    return pool->rank_threads;
}

DistRanks *dist_pool_ranks(const DistPool *pool) {
    return pool->ranks;
}
