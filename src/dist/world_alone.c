// SPDX-License-Identifier: GPL-3.0-or-later
// The world without MPI: this process.
#include "base/mem.h"
#include "dist/world.h"

#include <stdlib.h>
#include <string.h>

const bool dist_world_has_mpi = false;

// What mpirun and its like tell a process of its place, in their several dialects.
static int told_number(const char *const *names) {
    for (; *names != NULL; names++) {
        const char *text = getenv(*names);
        if (text != NULL)
            return atoi(text);
    }
    return 0;
}

Status dist_world_open(DistWorld **out, int argc, char **argv) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", NULL};
    (void)argc;
    (void)argv;
    *out = NULL;
    // Eight processes that know nothing of each other would all do the same work.
    if (told_number(sizes) > 1)
        return error_set(ERR_ARG, "%s",
                         told_number(ranks) > 0
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
