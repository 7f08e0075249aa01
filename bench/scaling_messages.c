// SPDX-License-Identifier: GPL-3.0-or-later
// What a message costs: rank 0 hands out pieces of work as large as a game, which other ranks
// answer at once, a piece at a time, and then in as many as are small.
//   mpirun -n RANKS scaling_messages PIECES
// prints `service SECONDS`: CPU time of rank 0's one thread for each piece; and `trip SECONDS`:
// from sending a piece to its answer.
#include "base/clock.h"
#include "base/mem.h"
#include "dist/ranks.h"
#include "dist/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORK_SIZE = 400, ANSWER_SIZE = 1 };

static Status open_echo(void **self, StrView context, DistPool *pool) {
    (void)context;
    (void)pool;
    *self = mem_alloc(1);
    return OK;
}

static Status echo(void *self, StrView work, Str *out) {
    (void)self;
    str_append(out, work.text, ANSWER_SIZE);
    return OK;
}

static const DistService echo_service = {
    .name = "echo", .by_rank = true, .open = open_echo, .answer = echo, .close = free};

typedef struct Pieces {
    size_t left, done;
    int64_t *sent_ns; // to each slot
    int64_t *trips_ns;
} Pieces;

static bool next_piece(void *context, int slot, uint64_t *tag, Str *work) {
    static const char bytes[WORK_SIZE];
    Pieces *pieces = context;
    *tag = pieces->left;
    if (pieces->left == 0)
        return false;
    pieces->left--;
    pieces->sent_ns[slot] = clock_now_ns();
    str_append(work, bytes, WORK_SIZE);
    return true;
}

static void take_answer(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    Pieces *pieces = context;
    (void)tag;
    (void)status;
    (void)answer;
    pieces->trips_ns[pieces->done++] = clock_now_ns() - pieces->sent_ns[slot];
}

static int compare(const void *a, const void *b) {
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static bool is_over(void *context) {
    return ((const Pieces *)context)->left == 0;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static Status measure(DistRanks *ranks, size_t count) {
    DistRemote *remote;
    Pieces pieces = {.left = count};
    const DistWork work = {
        .context = &pieces, .next = next_piece, .done = take_answer, .is_over = is_over};
    Status status =
        dist_remote_open(&remote, ranks, &(DistRemoteConfig){.service = "echo", .threads = 1});
    if (status == OK)
        status = dist_remote_wait(remote, 0);
    if (status == OK) {
        pieces.sent_ns = mem_alloc_zero((size_t)dist_remote_slots(remote), sizeof *pieces.sent_ns);
        pieces.trips_ns = mem_alloc_zero(count + 1, sizeof *pieces.trips_ns);
        const double start = cpu_seconds();
        dist_remote_run(remote, &work);
        printf("service %.9f\n", (cpu_seconds() - start) / (double)count);
        qsort(pieces.trips_ns, pieces.done, sizeof *pieces.trips_ns, compare);
        printf("trip %.9f\n", (double)pieces.trips_ns[pieces.done / 2] / 1e9);
        printf("quiet %.9f\n", (double)pieces.trips_ns[pieces.done / 10] / 1e9);
        free(pieces.sent_ns);
        free(pieces.trips_ns);
    }
    dist_remote_close(remote);
    return status;
}

int main(int argc, char **argv) {
    static const DistService *const services[] = {&echo_service};
    DistWorld *world;
    Status status = dist_world_open(&world, argc, argv);
    if (status == OK && world->rank > 0) {
        dist_serve(world, services, 1);
    } else if (status == OK) {
        DistRanks *ranks = dist_ranks_new(world);
        status = ranks == NULL || argc != 2
                     ? error_set(ERR_ARG, "mpirun -n RANKS scaling_messages PIECES")
                     : measure(ranks, (size_t)atoi(argv[1]));
        dist_ranks_free(ranks);
    }
    if (status != OK && error_message()[0] != '\0')
        fprintf(stderr, "scaling_messages: %s\n", error_message());
    dist_world_close(status == OK ? world : NULL);
    return status != OK;
}
