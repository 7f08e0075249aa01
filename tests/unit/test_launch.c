// SPDX-License-Identifier: GPL-3.0-or-later
// Places in a job as those who start it tell them, by the environment.
#include "dist/world.h"
#include "testing.h"

#include <stdlib.h>

static const char *const names[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",     "PMI_RANK", "PMIX_RANK",
    "MPI_LOCALNRANKS",      "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",
};
enum { NAMES = sizeof names / sizeof *names };

typedef struct Case {
    const char *told; // NAME=VALUE, one space between
    bool has_mpi;
    int rank, ranks;
} Case;

static const Case cases[] = {
    {"", false, 0, 1},
    {"OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=2 PMIX_RANK=2", true, 2, 3},
    {"PMI_SIZE=4 PMI_RANK=0", true, 0, 4},
    {"SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 PMIX_RANK=3", true, 3, 4},
    {"SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3", false, 3, 4},
    {"SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0", false, 0, 1},
    // mpirun that was started by srun, and one that tells no number.
    {"OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=2", true, 0,
     1},
    {"PMIX_RANK=0", true, 0, 2},
    {"PMIX_RANK=1", true, 1, 2},
};
enum { CASES = sizeof cases / sizeof *cases };

static void forget(void) {
    for (int i = 0; i < NAMES; i++)
        unsetenv(names[i]);
}

static void tell(const char *told) {
    char text[256];
    forget();
    snprintf(text, sizeof text, "%s", told);
    for (char *rest = text, *word; (word = strsep(&rest, " ")) != NULL && word[0] != '\0';) {
        const char *name = strsep(&word, "=");
        assert_int_equal(setenv(name, word, 1), 0);
    }
}

static void test_places_are_understood(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        tell(cases[i].told);
        const DistLaunch launch = dist_launch();
        assert_int_equal(launch.has_mpi, cases[i].has_mpi);
        assert_int_equal(launch.rank, cases[i].rank);
        assert_int_equal(launch.ranks, cases[i].ranks);
    }
    forget();
}

// Without MPI all of several fail, and one of them says so.
static void test_one_of_several_is_not_alone(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        DistWorld *world;
        tell(cases[i].told);
        const Status status = dist_world_open(&world, 0, NULL);
        assert_int_equal(status, cases[i].ranks == 1 ? OK : ERR_ARG);
        assert_int_equal(status == OK, world != NULL);
        if (status != OK)
            assert_int_equal(error_message()[0] != '\0', cases[i].rank == 0);
        dist_world_close(world);
    }
    forget();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_are_understood),
        cmocka_unit_test(test_one_of_several_is_not_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
