// SPDX-License-Identifier: GPL-3.0-or-later
// What mpirun, srun and their like tell a process of its place, each in words of its own.
#pragma once

#include <stdbool.h>

typedef struct DistLaunch {
    bool has_mpi;    // told by one through which MPI finds the other ranks
    int rank, ranks; // 0 and 1 where nobody tells
} DistLaunch;

DistLaunch dist_launch(void);
