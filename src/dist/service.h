// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of job: bytes in, bytes out. An answer may depend on the context and the job alone, never
// on who gives it or when, so that results are the same for any number of threads and ranks.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "dist/pool.h"
#include "dist/world.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DistService {
    const char *name;
    // True: a rank does one job at a time, with all its threads. False: each of its threads is a
    // worker.
    bool by_rank;
    // On rank 0: appends what workers on other ranks must know of `self`.
    void (*pack)(const void *self, Str *out);
    // On the others: makes `self` of it, which all workers there share. `pool` has the threads of
    // this rank: to run jobs on where it is by rank, for their number otherwise. Files that rank 0
    // named can be read by their paths meanwhile, no others.
    Status (*open)(void **self, StrView context, DistPool *pool);
    // Called for what was opened, also where that failed with `self` set.
    void (*close)(void *self);
    // A number that must be the same on all ranks; NULL: 0.
    uint64_t (*fingerprint)(const void *self);
    // Makes what one worker keeps from job to job, by the thread that works. `cancel_fd` becomes
    // readable when jobs should be broken off. NULL: answers are given `self`.
    void *(*begin)(void *self, int cancel_fd);
    // Appends the answer to one job, nothing where it was broken off. `worker` is used by one
    // thread at a time.
    Status (*answer)(void *worker, StrView job, Str *out);
    // Called while the thread that began it lives, for engines end with their thread.
    void (*end)(void *worker);
} DistService;

// What `answer` is called with, made by `begin` the first time.
static inline void *dist_service_worker(const DistService *service, void *self, int cancel_fd,
                                        void **worker) {
    if (service->begin == NULL)
        return self;
    if (*worker == NULL)
        *worker = service->begin(self, cancel_fd);
    return *worker;
}

// NULL is fine.
static inline void dist_service_end(const DistService *service, void *worker) {
    if (worker != NULL)
        service->end(worker);
}

// What every rank but the first does: serves rank 0 until it says that all is over. Which services
// there are is the program's business.
void dist_serve(DistWorld *world, const DistService *const *services, size_t count);
