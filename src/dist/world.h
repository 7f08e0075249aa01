// SPDX-License-Identifier: GPL-3.0-or-later
// The processes that work on one command: ranks 0 to ranks - 1, which send each other bytes. Rank 0
// does what the user asked for, the others serve it. Without MPI a world has rank 0 alone.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>

// Used by one thread of each rank. Tests make worlds of their own.
typedef struct DistWorld {
    int rank, ranks;
    void *self;
    // Takes the bytes, leaving `bytes` empty, and returns before they have arrived.
    void (*send)(void *self, int to, Str *bytes);
    // Puts the next message that is there into `bytes` and its sender into `from`; false where
    // there is none. Does not wait. Messages of one sender come in the order they were sent.
    bool (*receive)(void *self, int *from, Str *bytes);
    // Waits a little until what was sent is on its way, for this rank will do something else for
    // a while; may be NULL where it always is.
    void (*flush)(void *self);
    // To be called by all ranks: afterwards everybody's `bytes` are those of rank 0.
    void (*broadcast)(void *self, Str *bytes);
    // What was sent arrives first.
    void (*close)(void *self);
} DistWorld;

// Whether this program has MPI in it.
extern const bool dist_world_has_mpi;

// Joins the world that the program was started in. Where ranks were not built from the same
// sources, or not started with the same arguments, all fail: rank 0 with a message, the others with
// none.
MUST_CHECK Status dist_world_open(DistWorld **out, int argc, char **argv);
// NULL is fine.
void dist_world_close(DistWorld *world);

// What mpirun, srun and their like tell a process of its place, each in words of its own.
typedef struct DistLaunch {
    bool has_mpi;    // told by one through which MPI finds the other ranks
    int rank, ranks; // 0 and 1 where nobody tells
} DistLaunch;

DistLaunch dist_launch(void);
