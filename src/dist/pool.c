// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/pool.h"

#include "base/mem.h"
#include "base/str.h"

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
} Helper;

struct DistPool {
    Helper *helpers; // one fewer than there are threads
    int threads, started;
    pthread_mutex_t lock;
    pthread_cond_t work_there, work_done;
    // Guarded by the lock: the run that is going on, and who still works on it.
    uint64_t run;
    int busy;
    bool is_closing;
    DistJob job;
    void *context;
    size_t n;
    _Atomic size_t next;
    // The failure of the lowest index so far, guarded by the lock.
    size_t failed_index;
    Status failure;
    Str message;
};

static void note_failure(DistPool *pool, size_t index, Status status) {
    pthread_mutex_lock(&pool->lock);
    if (pool->failure == OK || index < pool->failed_index) {
        pool->failure = status;
        pool->failed_index = index;
        str_clear(&pool->message);
        str_add(&pool->message, error_message());
    }
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
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->run == seen && !pool->is_closing)
            pthread_cond_wait(&pool->work_there, &pool->lock);
        if (pool->is_closing)
            break;
        seen = pool->run;
        pthread_mutex_unlock(&pool->lock);
        work(pool, self->worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int dist_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int cores = CPU_COUNT(&set);
    return cores > 0 ? cores : 1;
}

DistPool *dist_pool_new(int threads) {
    DistPool *pool = mem_alloc_zero(1, sizeof *pool);
    pool->threads = threads > 1 ? threads : 1;
    pool->helpers = mem_alloc_zero((size_t)pool->threads, sizeof *pool->helpers);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_there, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    for (int i = 0; i < pool->threads - 1; i++) {
        pool->helpers[i] = (Helper){.pool = pool, .worker = i + 1};
        // Where the system gives no more threads, fewer do the same work.
        if (pthread_create(&pool->helpers[i].thread, NULL, help, &pool->helpers[i]) != 0)
            break;
        pool->started++;
    }
    return pool;
}

void dist_pool_free(DistPool *pool) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_closing = true;
    pthread_cond_broadcast(&pool->work_there);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->helpers[i].thread, NULL);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_there);
    pthread_mutex_destroy(&pool->lock);
    str_free(&pool->message);
    free(pool->helpers);
    free(pool);
}

int dist_pool_threads(const DistPool *pool) {
    return pool->threads;
}

Status dist_pool_run(DistPool *pool, size_t n, DistJob job, void *context) {
    pool->job = job;
    pool->context = context;
    pool->n = n;
    pool->failure = OK;
    atomic_store(&pool->next, 0);
    const bool needs_help = n > 1 && pool->started > 0;
    if (needs_help) {
        pthread_mutex_lock(&pool->lock);
        pool->run++;
        pool->busy = pool->started;
        pthread_cond_broadcast(&pool->work_there);
        pthread_mutex_unlock(&pool->lock);
    }
    work(pool, 0);
    if (needs_help) {
        pthread_mutex_lock(&pool->lock);
        while (pool->busy > 0)
            pthread_cond_wait(&pool->work_done, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
    }
    return pool->failure == OK ? OK : error_set(pool->failure, "%s", str_text(&pool->message));
}
