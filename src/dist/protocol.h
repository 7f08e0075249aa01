// SPDX-License-Identifier: GPL-3.0-or-later
// What rank 0 and the others say to each other: a kind, then what follows it here.
#pragma once

enum { DIST_TEAMS_MAX = 16 }; // that are open at a time

typedef enum DistMessage {
    // From rank 0.
    DIST_OPEN,   // and everybody takes part in spreading: team, service, threads, context, files
    DIST_WORK,   // team, worker, number of pieces, each piece
    DIST_CANCEL, // team
    DIST_CLOSE,  // team
    DIST_LEAVE,
    // To rank 0.
    DIST_OPENED, // team, status, message, workers, fingerprint
    DIST_DONE,   // team, worker, nanoseconds of work, of each piece: status, answer or message
} DistMessage;
