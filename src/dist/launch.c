// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/world.h"

#include <stddef.h>
#include <stdlib.h>

// The first of them that is there; -1 where none is.
static int told_number(const char *const *names) {
    for (; *names != NULL; names++) {
        const char *text = getenv(*names);
        if (text != NULL)
            return atoi(text);
    }
    return -1;
}

DistLaunch dist_launch(void) {
    // mpirun may itself have been started by srun: what that told is asked for last.
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                        NULL};
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID", NULL};
    static const char *const of_mpi[] = {
        "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", NULL};
    const int size = told_number(sizes), rank = told_number(ranks);
    DistLaunch launch = {.has_mpi = told_number(of_mpi) >= 0, .rank = rank > 0 ? rank : 0};
    // Only some tell ranks how many there are: then there may be others.
    launch.ranks = size >= 1 ? size : launch.has_mpi ? 2 : 1;
    return launch;
}
