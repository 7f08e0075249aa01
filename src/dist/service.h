// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of work that other ranks do for rank 0: bytes in, bytes out, with what they have opened
// for it. What an answer says may depend on the context and the piece of work alone, never on who
// gives it or when, so that results are the same for any number of ranks.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "dist/pool.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DistService {
    const char *name;
    // True: a rank is asked one thing at a time, and takes all its threads to it (`worker` is 0).
    // False: each of its threads is asked apart.
    bool by_rank;
    // Makes what answers need of rank 0's bytes. `pool` has the threads of this rank: to run jobs
    // on when asked by rank, for their number otherwise. `cancel_fd` becomes readable, at any time
    // while answers are being made, when they had better end soon. Files that rank 0 named can be
    // read by their paths meanwhile, no others. `fingerprint` may be set to a number that must be
    // the same on all ranks.
    Status (*open)(void **self, StrView context, DistPool *pool, int cancel_fd,
                   uint64_t *fingerprint);
    // Appends the answer to one piece of work. A worker's calls come one after the other, and from
    // one thread, which lives until `close` is over.
    Status (*answer)(void *self, int worker, StrView work, Str *out);
    // Called for what was opened, also where that failed with `self` set.
    void (*close)(void *self);
} DistService;
