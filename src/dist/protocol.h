// SPDX-License-Identifier: GPL-3.0-or-later
// The messages between rank 0 and the others: a byte for the kind, then the fields named here.
#pragma once

enum { DIST_REMOTES_MAX = 16 }; // services that are open at a time

typedef enum DistMessage {
    // From rank 0.
    DIST_OPEN,   // then a broadcast: number, service, threads, context, files
    DIST_WORK,   // number, worker, count of jobs, each job
    DIST_CANCEL, // number
    DIST_CLOSE,  // number
    DIST_LEAVE,
    // To rank 0.
    DIST_OPENED, // number, status, message, workers, fingerprint
    DIST_DONE,   // number, worker, nanoseconds of work, of each job: status, answer or message
} DistMessage;
