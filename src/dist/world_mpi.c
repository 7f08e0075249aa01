// SPDX-License-Identifier: GPL-3.0-or-later
// The world of an MPI job. The only file that knows MPI; make MPI=1 takes it in the place of
// world_alone.c.
#include "base/hash.h"
#include "base/mem.h"
#include "dist/backoff.h"
#include "dist/pool.h"
#include "dist/world.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const bool dist_world_has_mpi = true;

enum {
    TAG = 1,
    PIECE_MAX = 1 << 30, // of what is broadcast at a time: MPI counts in int
    FLUSH_NS = 20000,    // a receiver may rest for longer, or do something else
};

// What every rank says of itself at the beginning.
typedef struct Identity {
    char version[32], sources[32], host[64];
    uint64_t arguments;
} Identity;

// What the program was built from, as text that can be found in it.
static const volatile char sources[] = FALCONER_SOURCES;

typedef struct Sending {
    MPI_Request request;
    Str bytes;
} Sending;

typedef struct Mpi {
    DistWorld world;
    Sending *sendings; // that have not ended
    size_t count, capacity;
} Mpi;

// --- messages ---

static void tidy_sendings(Mpi *mpi) {
    size_t kept = 0;
    for (size_t i = 0; i < mpi->count; i++) {
        int is_done;
        MPI_Test(&mpi->sendings[i].request, &is_done, MPI_STATUS_IGNORE);
        if (is_done)
            str_free(&mpi->sendings[i].bytes);
        else
            mpi->sendings[kept++] = mpi->sendings[i];
    }
    mpi->count = kept;
}

static void send_bytes(void *self, int to, Str *bytes) {
    Mpi *mpi = self;
    Sending *sending = &MEM_ADD(mpi->sendings, mpi->count, mpi->capacity);
    sending->bytes = *bytes;
    *bytes = (Str){0};
    MPI_Isend(str_text(&sending->bytes), (int)sending->bytes.length, MPI_BYTE, to, TAG,
              MPI_COMM_WORLD, &sending->request);
    tidy_sendings(mpi);
}

// MPI's own waiting burns a core.
static void wait_for(MPI_Request *request) {
    Backoff backoff = {0};
    int is_done;
    for (MPI_Test(request, &is_done, MPI_STATUS_IGNORE); !is_done;
         MPI_Test(request, &is_done, MPI_STATUS_IGNORE))
        backoff_wait(&backoff);
}

// Long messages move only while their sender is in MPI.
static void flush_sendings(void *self) {
    Mpi *mpi = self;
    Backoff backoff = {0};
    const int64_t end_ns = clock_now_ns() + FLUSH_NS;
    for (tidy_sendings(mpi); mpi->count > 0 && clock_now_ns() < end_ns; tidy_sendings(mpi))
        backoff_wait(&backoff);
}

static bool receive_bytes(void *self, int *from, Str *bytes) {
    Mpi *mpi = self;
    int is_there, size;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    tidy_sendings(mpi);
    MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &is_there, &message, &status);
    if (!is_there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    str_clear(bytes);
    str_reserve(bytes, (size_t)size);
    bytes->length = (size_t)size;
    bytes->text[size] = '\0';
    MPI_Imrecv(bytes->text, size, MPI_BYTE, &message, &request);
    wait_for(&request);
    *from = status.MPI_SOURCE;
    return true;
}

static void broadcast_bytes(void *self, Str *bytes) {
    const Mpi *mpi = self;
    uint64_t length = bytes->length;
    MPI_Request request;
    MPI_Ibcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    wait_for(&request);
    if (mpi->world.rank > 0) {
        str_clear(bytes);
        str_reserve(bytes, length);
        bytes->length = length;
        bytes->text[length] = '\0';
    }
    for (uint64_t at = 0; at < length; at += PIECE_MAX) {
        const uint64_t left = length - at;
        MPI_Ibcast(bytes->text + at, (int)(left < PIECE_MAX ? left : PIECE_MAX), MPI_BYTE, 0,
                   MPI_COMM_WORLD, &request);
        wait_for(&request);
    }
}

static void close_world(void *self) {
    Mpi *mpi = self;
    Backoff backoff = {0};
    for (tidy_sendings(mpi); mpi->count > 0; tidy_sendings(mpi))
        backoff_wait(&backoff);
    MPI_Finalize();
    free(mpi->sendings);
    free(mpi);
}

// --- joining ---

// Without somebody who starts ranks there is one, for which MPI would start a server of its own.
// That is, but for an srun that knows no MPI: each of many would take itself for rank 0.
static Status be_alone(const DistLaunch *launch) {
    if (launch->ranks == 1)
        return OK;
    if (launch->rank > 0)
        return error_set(ERR_ARG, "%s", "");
    return error_set(ERR_ARG,
                     "started %d times by srun, but not as ranks of MPI: use srun --mpi=pmix (srun "
                     "--mpi=list tells what there is), or mpirun (docs/scaling.md)",
                     launch->ranks);
}

static Identity identity_of(int argc, char **argv) {
    Identity identity = {.arguments = HASH_START};
    int length;
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Get_processor_name(host, &length);
    snprintf(identity.version, sizeof identity.version, "%s", FALCONER_VERSION);
    for (size_t i = 0; i < sizeof sources && i < sizeof identity.sources - 1; i++)
        identity.sources[i] = sources[i];
    snprintf(identity.host, sizeof identity.host, "%.63s", host);
    for (int i = 1; i < argc; i++)
        identity.arguments = hash_bytes(identity.arguments, argv[i], strlen(argv[i]) + 1);
    return identity;
}

static Status compare(const Identity *all, int ranks) {
    for (int i = 1; i < ranks; i++) {
        const Identity *other = &all[i];
        if (strcmp(other->version, all->version) != 0)
            return error_set(ERR_ARG, "rank %d on %s is version %s, rank 0 is version %s", i,
                             other->host, other->version, all->version);
        if (strcmp(other->sources, all->sources) != 0)
            return error_set(ERR_ARG,
                             "rank %d on %s was built from other sources than rank 0 (%s and %s): "
                             "all ranks must run the same falconer",
                             i, other->host, other->sources, all->sources);
        if (other->arguments != all->arguments)
            return error_set(ERR_ARG, "rank %d on %s was started with other arguments than rank 0",
                             i, other->host);
    }
    return OK;
}

static Status compare_ranks(const DistWorld *world, int argc, char **argv) {
    const Identity mine = identity_of(argc, argv);
    CLEANUP(mem_free_at) Identity *all = mem_alloc_zero((size_t)world->ranks, sizeof *all);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    const Status status = world->rank == 0 ? compare(all, world->ranks) : OK;
    int is_fine = status == OK;
    MPI_Bcast(&is_fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return is_fine || world->rank == 0 ? status : error_set(ERR_ARG, "%s", "");
}

// Several ranks of one machine are often allowed to run on the same cores.
static void share_cores(void) {
    MPI_Comm here;
    cpu_set_t mine;
    int count, same = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count);
    CPU_ZERO(&mine);
    (void)sched_getaffinity(0, sizeof mine, &mine);
    CLEANUP(mem_free_at) cpu_set_t *all = mem_alloc_zero((size_t)count, sizeof *all);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, here);
    for (int i = 0; i < count; i++)
        same += CPU_EQUAL(&all[i], &mine) != 0;
    MPI_Comm_free(&here);
    dist_cores_share(same);
}

Status dist_world_open(DistWorld **out, int argc, char **argv) {
    const DistLaunch launch = dist_launch();
    Status status = launch.has_mpi ? OK : be_alone(&launch);
    *out = NULL;
    if (status != OK)
        return status;
    Mpi *mpi = mem_alloc_zero(1, sizeof *mpi);
    DistWorld *world = &mpi->world;
    *out = world;
    *world = (DistWorld){.ranks = 1, .self = mpi};
    if (!launch.has_mpi)
        return OK;
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->ranks);
    world->send = send_bytes;
    world->receive = receive_bytes;
    world->flush = flush_sendings;
    world->broadcast = broadcast_bytes;
    world->close = close_world;
    status =
        provided >= MPI_THREAD_FUNNELED
            ? compare_ranks(world, argc, argv)
            : error_set(ERR_ARG, "%s", world->rank > 0 ? "" : "this MPI was built without threads");
    if (status == OK)
        share_cores();
    if (status != OK) {
        dist_world_close(world);
        *out = NULL;
    }
    return status;
}

void dist_world_close(DistWorld *world) {
    if (world == NULL)
        return;
    if (world->close != NULL)
        world->close(world->self);
    else
        free(world->self);
}
