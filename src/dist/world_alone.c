// SPDX-License-Identifier: GPL-3.0-or-later
// The world without MPI: this process.
#include "base/mem.h"
#include "dist/world.h"

#include <stdlib.h>

const bool dist_world_has_mpi = false;

Status dist_world_open(DistWorld **out, int argc, char **argv) {
    const DistLaunch launch = dist_launch();
    (void)argc;
    (void)argv;
    *out = NULL;
    // Eight processes that know nothing of each other would all do the same work.
    if (launch.ranks > 1)
        return error_set(ERR_ARG, "%s",
                         launch.rank > 0
                             ? ""
                             : "started on several ranks, but built without MPI: build it with "
                               "make MPI=1 (docs/scaling.md)");
    *out = mem_alloc_zero(1, sizeof **out);
    (*out)->ranks = 1;
    return OK;
}

void dist_world_close(DistWorld *world) {
    free(world);
}
