// SPDX-License-Identifier: GPL-3.0-or-later
// The other ranks as rank 0 sees them. A service that is open on them is a remote: it has a slot
// for each worker there, which is sent jobs as bytes and sends bytes back. Everything here is for
// rank 0's main thread. Where there are no other ranks DistRanks is NULL, and so is every remote:
// all functions take that, and do nothing.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "dist/world.h"

#include <stdint.h>

typedef struct DistRanks DistRanks;
typedef struct DistRemote DistRemote;

// What it all took, summed up over everything that ran: for reports.
typedef struct DistCosts {
    uint64_t jobs, messages; // messages both ways
    uint64_t bytes_out, bytes_in, bytes_broadcast;
    int64_t wall_ns;    // of the time in which there was work
    int64_t slots_ns;   // the same times the slots there were, rank 0's threads among them
    int64_t compute_ns; // of all of them
    int64_t message_ns; // from sending to the answer, but for computing there and here in between
    int slots, idle;    // of the last remote that worked, and those that never had anything to do
} DistCosts;

// NULL where rank 0 is alone. `world` is borrowed.
DistRanks *dist_ranks_new(DistWorld *world);
// Ends the other ranks.
void dist_ranks_free(DistRanks *ranks);
// How many ranks there are, rank 0 among them.
int dist_ranks_count(const DistRanks *ranks);
DistCosts dist_ranks_costs(const DistRanks *ranks);

typedef struct DistRemoteConfig {
    const char *service; // its name
    StrView context;     // what the service opens
    const char *const *files;
    size_t file_count; // inputs that the service reads by these paths: read here and sent along
    int threads;       // of each rank; 0: one for each core it may run on
    // A job may take far longer than those before, as with engines that hang: few are sent at a
    // time, so that the answer to the first comes soon.
    bool may_hang;
} DistRemoteConfig;

// Has the service opened on all other ranks, and does not wait for it: rank 0 may do its own part
// meanwhile.
MUST_CHECK Status dist_remote_open(DistRemote **out, DistRanks *ranks,
                                   const DistRemoteConfig *setup);
// Waits until all have opened it; fails where one could not, or has another fingerprint.
MUST_CHECK Status dist_remote_wait(DistRemote *remote, uint64_t fingerprint);
void dist_remote_close(DistRemote *remote);
// Slots of the other ranks; 0 for no remote, and before the wait is over.
int dist_remote_slots(const DistRemote *remote);
// The rank that a slot belongs to.
int dist_remote_rank_of(const DistRemote *remote, int slot);
// Asks for answers soon: the service decides what that means. Safe to be called by callbacks, and
// again.
void dist_remote_cancel(DistRemote *remote);

// A source of jobs for the slots. All of these are called by the thread that runs it.
typedef struct DistWork {
    void *context;
    // Appends the next job for an idle slot, with a tag to know it by; false where there is none
    // at present: for no slot, unless `is_by_slot`.
    bool (*next)(void *context, int slot, uint64_t *tag, Str *work);
    bool is_by_slot;
    // What came of it: OK and the answer, or a status with the message in error_message().
    void (*done)(void *context, int slot, uint64_t tag, Status status, StrView answer);
    // True when no more work will come and nothing is going on here: asked when slots are idle.
    bool (*is_over)(void *context);
    // About how many jobs are left, for short ones are sent several at a time; NULL: one.
    size_t (*left)(void *context);
    // Does a part of the work in this thread, and returns whether there was any; may be NULL.
    bool (*here)(void *context);
    int local_slots; // threads of this rank that work meanwhile: they count as slots, too
} DistWork;

// Sends jobs until it is over and every answer is there.
void dist_remote_run(DistRemote *remote, const DistWork *work);
// Adds computing that was done here to the costs. By the thread that runs the work.
void dist_remote_count(DistRemote *remote, uint64_t jobs, int64_t compute_ns);
// The same for work that was done here alone, while all others waited.
void dist_remote_count_alone(DistRemote *remote, uint64_t jobs, int64_t compute_ns);
// What a message to a slot and back takes beside the computing, in nanoseconds; 0 while unknown.
double dist_remote_message_ns(const DistRemote *remote);
// Nanoseconds that the slot computed for what it answered last.
int64_t dist_remote_last_ns(const DistRemote *remote, int slot);

// Means of times that follow what is measured. A machine that does other things too makes times
// longer, never shorter: so a shorter one counts more.
static const double mean_newest_less = 0.5, mean_newest_more = 0.1;

// 0: nothing was measured so far.
static inline void dist_blend_mean(double *mean, double value) {
    const double newest = *mean == 0 ? 1 : value < *mean ? mean_newest_less : mean_newest_more;
    *mean += newest * (value - *mean);
}
