// SPDX-License-Identifier: GPL-3.0-or-later
// The one scheduler: workers that do the jobs of a service, threads of this process and of other
// ranks alike, and answers that come back in the order of the jobs. To be used by the main thread
// where there are other ranks.
#pragma once

#include "dist/ranks.h"
#include "dist/service.h"

typedef struct DistWorkers DistWorkers;

typedef struct DistWorkersConfig {
    const DistService *service;
    void *self;       // what workers here share, as the service's `open` makes it; borrowed
    int threads;      // here
    DistRanks *ranks; // that work too; NULL: none
    int rank_threads; // of each of those ranks; 0: one for each core it may run on
    bool may_hang;    // as in DistRemoteConfig
    int cancel_fd;    // when this becomes readable, jobs are broken off; -1: never
} DistWorkersConfig;

// Fails where a rank cannot open the service.
MUST_CHECK Status dist_workers_open(DistWorkers **out, const DistWorkersConfig *config);
// NULL is fine.
void dist_workers_close(DistWorkers *workers);
CLEANUP_AT(DistWorkers *, dist_workers_close)
// How many there are, here and elsewhere.
int dist_workers_count(const DistWorkers *workers);

typedef enum DistNext {
    DIST_JOB,
    DIST_NONE_YET, // before a job that was begun is done
    DIST_NO_MORE,
} DistNext;

typedef enum DistOrder {
    DIST_IN_ORDER, // an answer behind a job that was broken off is dropped
    DIST_IN_ORDER_WITH_GAPS,
    DIST_AS_THEY_COME,
} DistOrder;

#define DIST_COUNT_UNKNOWN UINT64_MAX

// Where jobs come from and answers go: called by one thread at a time, but for `tick`.
typedef struct DistJobs {
    void *context;
    DistOrder order;
    uint64_t count; // or DIST_COUNT_UNKNOWN: then each is sent to other ranks alone
    // Appends the job of that number: 0, 1, 2, ...
    DistNext (*next)(void *context, uint64_t number, Str *job);
    // Takes the answer; a failure ends everything. ERR_PARSE with "malformed
    // WHAT" is told with the rank that sent it.
    Status (*done)(void *context, uint64_t number, StrView answer);
    // Called several times a second by the caller's thread while others work; may be NULL.
    void (*tick)(void *context);
} DistJobs;

// Does them all. OK too when cancelled or stopped; then some are not done. When jobs fail, no more
// are begun, those that go on are broken off, and the failure of the lowest number is returned.
// After a failure or a stop the workers can only be closed.
MUST_CHECK Status dist_workers_run(DistWorkers *workers, const DistJobs *jobs);
// Called by `done` when nothing more is needed: as if cancelled.
void dist_workers_stop(DistWorkers *workers);
// Whether the jobs and answers in its hands add up; for assertions, with no run going on or by
// `done`.
bool dist_workers_are_valid(const DistWorkers *workers);
