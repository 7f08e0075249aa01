// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/ranks.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "dist/backoff.h"
#include "dist/protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CHUNK_NS = 20000000, // what a slot is given at a time takes about this long
    CHUNK_MOST = 4096,   // jobs
    CHUNK_MOST_HANGING = 16,
    WORKERS_MAX = 1 << 16, // of a rank
};
// How much of the mean of messages is left when it may be too long.
static const double message_decay = 0.9;

typedef struct Slot {
    int rank, worker;
    bool is_busy;
    int64_t sent_ns, computed_ns;
    double job_ns;  // what a job takes here; 0: not known
    uint64_t *tags; // of the jobs it has
    size_t tag_count, tag_capacity;
} Slot;

// What a rank said to the opening.
typedef struct Opened {
    bool is_there;
    Status status;
    int workers, first_slot;
    uint64_t fingerprint;
    char message[512];
} Opened;

struct DistRemote {
    DistRanks *ranks;
    uint32_t number;
    Opened *opened; // of each rank
    int waiting;    // ranks that have not answered
    Slot *slots;
    int slot_count, busy;
    double message_ns;
    size_t chunk_most;
    bool is_cancelled;
    const DistWork *work; // at hand
    bool was_working;     // here, before the messages that are being taken
};

struct DistRanks {
    DistWorld *world;
    DistRemote *remotes[DIST_REMOTES_MAX];
    uint32_t opened;
    DistCosts costs;
};

// --- messages ---

static void send_to(DistRanks *ranks, int rank, Str *bytes) {
    ranks->costs.messages++;
    ranks->costs.bytes_out += bytes->length;
    ranks->world->send(ranks->world->self, rank, bytes);
}

static void send_to_all(DistRanks *ranks, DistMessage kind, uint32_t remote) {
    for (int rank = 1; rank < ranks->world->ranks; rank++) {
        Str bytes = {0};
        bytes_add_u8(&bytes, (uint8_t)kind);
        bytes_add_u32(&bytes, remote);
        send_to(ranks, rank, &bytes);
    }
}

static void note_opened(DistRemote *remote, int rank, ByteReader *in) {
    Opened *opened = &remote->opened[rank];
    if (opened->is_there)
        return;
    opened->is_there = true;
    opened->status = (Status)bytes_u8(in);
    const StrView message = bytes_text(in);
    snprintf(opened->message, sizeof opened->message, "%.*s", (int)message.length, message.text);
    opened->workers = (int)bytes_u32(in);
    opened->fingerprint = bytes_u64(in);
    if (!bytes_are_done(in) || opened->status > ERR_LIMIT || opened->workers < 1 ||
        opened->workers > WORKERS_MAX) {
        opened->status = ERR_PARSE;
        snprintf(opened->message, sizeof opened->message, "sent a malformed reply");
    }
    remote->waiting--;
}

// What a message took, as far as can be told, for the costs. An answer that came while this rank
// computed has been waiting to be seen: then it took no longer than this, and perhaps much less.
static int64_t note_message(DistRemote *remote, int64_t took_ns) {
    const double mean = remote->message_ns;
    if (!remote->was_working || (double)took_ns < mean) {
        dist_blend_mean(&remote->message_ns, (double)took_ns + 1);
        return took_ns;
    }
    remote->message_ns *= message_decay;
    return (int64_t)mean;
}

static void note_times(DistRemote *remote, Slot *slot, int64_t compute_ns) {
    DistCosts *costs = &remote->ranks->costs;
    const int64_t whole = clock_now_ns() - slot->sent_ns;
    const int64_t message = whole > compute_ns ? whole - compute_ns : 0;
    costs->compute_ns += compute_ns;
    costs->message_ns += note_message(remote, message);
    costs->jobs += slot->tag_count;
    slot->computed_ns = compute_ns;
    dist_blend_mean(&slot->job_ns, (double)compute_ns / (double)slot->tag_count + 1);
}

// Ends what a slot was given with what is read. Malformed answers are failures.
static void end_slot(DistRemote *remote, int index, ByteReader *in) {
    Slot *slot = &remote->slots[index];
    slot->is_busy = false;
    remote->busy--;
    for (size_t i = 0; i < slot->tag_count; i++) {
        Status status = (Status)bytes_u8(in);
        const StrView answer = bytes_text(in);
        const bool is_last = i + 1 == slot->tag_count;
        if (in->failed || status > ERR_LIMIT || (is_last && !bytes_are_done(in)))
            status = error_set(ERR_PARSE, "sent a malformed answer");
        else if (status != OK)
            (void)error_set(status, "%.*s", (int)answer.length, answer.text);
        remote->work->done(remote->work->context, index, slot->tags[i], status, answer);
    }
}

static void note_done(DistRemote *remote, int rank, ByteReader *in) {
    const Opened *opened = &remote->opened[rank];
    const uint32_t worker = bytes_u32(in);
    const int64_t compute_ns = (int64_t)bytes_u64(in);
    if (remote->slots == NULL)
        return;
    Slot *slots = &remote->slots[opened->first_slot];
    if (!in->failed && worker < (uint32_t)opened->workers && slots[worker].is_busy) {
        note_times(remote, &slots[worker], compute_ns);
        end_slot(remote, opened->first_slot + (int)worker, in);
        return;
    }
    // Nobody knows whose answer this was meant to be: all jobs of that rank fail.
    ByteReader nothing = {view_of("", 0), true};
    for (int i = 0; i < opened->workers; i++)
        if (slots[i].is_busy)
            end_slot(remote, opened->first_slot + i, &nothing);
}

static DistRemote *find_remote(const DistRanks *ranks, uint32_t number) {
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (ranks->remotes[i] != NULL && ranks->remotes[i]->number == number)
            return ranks->remotes[i];
    return NULL;
}

// Takes one message, if there is one. Messages to a remote that was closed
// meanwhile are dropped.
static bool take_message(DistRanks *ranks, Str *message) {
    int from;
    if (!ranks->world->receive(ranks->world->self, &from, message))
        return false;
    ByteReader in = {view_of(str_text(message), message->length), false};
    const DistMessage kind = (DistMessage)bytes_u8(&in);
    DistRemote *remote = find_remote(ranks, bytes_u32(&in));
    ranks->costs.messages++;
    ranks->costs.bytes_in += message->length;
    if (remote != NULL && kind == DIST_OPENED)
        note_opened(remote, from, &in);
    else if (remote != NULL && kind == DIST_DONE)
        note_done(remote, from, &in);
    return true;
}

// --- the ranks ---

DistRanks *dist_ranks_new(DistWorld *world) {
    if (world->ranks < 2)
        return NULL;
    DistRanks *ranks = mem_alloc_zero(1, sizeof *ranks);
    ranks->world = world;
    backoff_sharpen_timer();
    return ranks;
}

void dist_ranks_free(DistRanks *ranks) {
    if (ranks == NULL)
        return;
    send_to_all(ranks, DIST_LEAVE, 0);
    free(ranks);
}

int dist_ranks_count(const DistRanks *ranks) {
    return ranks == NULL ? 1 : ranks->world->ranks;
}

DistCosts dist_ranks_costs(const DistRanks *ranks) {
    return ranks == NULL ? (DistCosts){0} : ranks->costs;
}

// --- remotes ---

// Makes room for all files at once: doubling would take as much again as they are.
static void make_room(const DistRemoteConfig *setup, Str *out) {
    size_t need = 2 * sizeof(uint64_t);
    for (size_t i = 0; i < setup->file_count; i++) {
        struct stat info;
        need += strlen(setup->files[i]) + 2 * sizeof(uint64_t);
        need += stat(setup->files[i], &info) == 0 ? (size_t)info.st_size : 0;
    }
    str_reserve(out, need);
}

static Status pack_files(const DistRemoteConfig *setup, Str *out) {
    make_room(setup, out);
    bytes_add_u64(out, setup->file_count);
    for (size_t i = 0; i < setup->file_count; i++) {
        CLEANUP(str_free) Str bytes = {0};
        TRY(file_read_raw(setup->files[i], &bytes));
        bytes_add_text(out, view_from_string(setup->files[i]));
        bytes_add_text(out, view_of(str_text(&bytes), bytes.length));
    }
    return OK;
}

static int free_place(const DistRanks *ranks) {
    int place = 0;
    while (place < DIST_REMOTES_MAX && ranks->remotes[place] != NULL)
        place++;
    return place;
}

Status dist_remote_open(DistRemote **out, DistRanks *ranks, const DistRemoteConfig *setup) {
    CLEANUP(str_free) Str bytes = {0};
    *out = NULL;
    if (ranks == NULL)
        return OK;
    const int place = free_place(ranks);
    if (place == DIST_REMOTES_MAX)
        return error_set(ERR_LIMIT, "%d services are open on other ranks already",
                         DIST_REMOTES_MAX);
    bytes_add_u32(&bytes, ++ranks->opened);
    bytes_add_text(&bytes, view_from_string(setup->service));
    bytes_add_u32(&bytes, (uint32_t)setup->threads);
    bytes_add_text(&bytes, setup->context);
    TRY(pack_files(setup, &bytes));
    DistRemote *remote = ranks->remotes[place] = *out = mem_alloc_zero(1, sizeof *remote);
    *remote =
        (DistRemote){.ranks = ranks, .number = ranks->opened, .waiting = ranks->world->ranks - 1};
    remote->chunk_most = setup->may_hang ? CHUNK_MOST_HANGING : CHUNK_MOST;
    remote->opened = mem_alloc_zero((size_t)ranks->world->ranks, sizeof *remote->opened);
    send_to_all(ranks, DIST_OPEN, remote->number);
    ranks->world->broadcast(ranks->world->self, &bytes);
    ranks->costs.bytes_broadcast += bytes.length;
    return OK;
}

static void make_slots(DistRemote *remote) {
    for (int rank = 1; rank < remote->ranks->world->ranks; rank++) {
        remote->opened[rank].first_slot = remote->slot_count;
        remote->slot_count += remote->opened[rank].workers;
    }
    remote->slots = mem_alloc_zero((size_t)remote->slot_count, sizeof *remote->slots);
    for (int rank = 1; rank < remote->ranks->world->ranks; rank++)
        for (int i = 0; i < remote->opened[rank].workers; i++)
            remote->slots[remote->opened[rank].first_slot + i] = (Slot){.rank = rank, .worker = i};
}

Status dist_remote_wait(DistRemote *remote, uint64_t fingerprint) {
    if (remote == NULL || remote->slots != NULL)
        return OK;
    Backoff backoff = {0};
    CLEANUP(str_free) Str message = {0};
    while (remote->waiting > 0)
        if (take_message(remote->ranks, &message))
            backoff_reset(&backoff);
        else
            backoff_wait(&backoff);
    for (int rank = 1; rank < remote->ranks->world->ranks; rank++) {
        const Opened *opened = &remote->opened[rank];
        if (opened->status != OK)
            return error_set(opened->status, "rank %d: %s", rank, opened->message);
        if (opened->fingerprint != fingerprint)
            return error_set(ERR_ARG,
                             "rank %d made other data of the same files (%016" PRIx64
                             ", here %016" PRIx64 ")",
                             rank, opened->fingerprint, fingerprint);
    }
    make_slots(remote);
    return OK;
}

void dist_remote_close(DistRemote *remote) {
    if (remote == NULL)
        return;
    send_to_all(remote->ranks, DIST_CLOSE, remote->number);
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (remote->ranks->remotes[i] == remote)
            remote->ranks->remotes[i] = NULL;
    for (int i = 0; i < remote->slot_count; i++)
        free(remote->slots[i].tags);
    free(remote->slots);
    free(remote->opened);
    free(remote);
}

int dist_remote_slots(const DistRemote *remote) {
    return remote == NULL ? 0 : remote->slot_count;
}

int dist_remote_rank_of(const DistRemote *remote, int slot) {
    return remote->slots[slot].rank;
}

void dist_remote_cancel(DistRemote *remote) {
    if (remote == NULL || remote->is_cancelled)
        return;
    remote->is_cancelled = true;
    send_to_all(remote->ranks, DIST_CANCEL, remote->number);
}

// --- work ---

// How many jobs to hand out at a time: few where they are long, and towards the end.
static size_t jobs_for(const DistRemote *remote, const Slot *slot) {
    const DistWork *work = remote->work;
    if (work->left == NULL || slot->job_ns == 0)
        return 1;
    const size_t share =
        work->left(work->context) / (2 * (size_t)(remote->slot_count + work->local_slots));
    const double wanted = CHUNK_NS / slot->job_ns;
    size_t jobs = wanted < (double)remote->chunk_most ? (size_t)wanted : remote->chunk_most;
    jobs = jobs < share ? jobs : share;
    return jobs > 1 ? jobs : 1;
}

// Gives the slot something to do; false where there is nothing.
static bool give_work(DistRemote *remote, int index) {
    Slot *slot = &remote->slots[index];
    const size_t most = jobs_for(remote, slot);
    Str bytes = {0};
    CLEANUP(str_free) Str jobs = {0};
    CLEANUP(str_free) Str job = {0};
    slot->tag_count = 0;
    while (slot->tag_count < most) {
        uint64_t tag;
        str_clear(&job);
        if (!remote->work->next(remote->work->context, index, &tag, &job))
            break;
        slot->tags =
            mem_grow(slot->tags, &slot->tag_capacity, slot->tag_count + 1, sizeof *slot->tags);
        slot->tags[slot->tag_count++] = tag;
        bytes_add_text(&jobs, view_of(str_text(&job), job.length));
    }
    if (slot->tag_count == 0)
        return false;
    bytes_add_u8(&bytes, DIST_WORK);
    bytes_add_u32(&bytes, remote->number);
    bytes_add_u32(&bytes, (uint32_t)slot->worker);
    bytes_add_u32(&bytes, (uint32_t)slot->tag_count);
    str_append(&bytes, str_text(&jobs), jobs.length);
    slot->sent_ns = clock_now_ns();
    slot->is_busy = true;
    remote->busy++;
    send_to(remote->ranks, slot->rank, &bytes);
    return true;
}

static bool give_all(DistRemote *remote) {
    bool any = false;
    for (int i = 0; i < remote->slot_count && remote->busy < remote->slot_count; i++) {
        if (remote->slots[i].is_busy)
            continue;
        if (give_work(remote, i))
            any = true;
        else if (!remote->work->is_by_slot)
            break;
    }
    return any;
}

// Does a part of the work in this thread, if there is any.
static bool work_here(DistRemote *remote, bool has_given) {
    const DistWorld *world = remote->ranks->world;
    if (remote->work->here == NULL)
        return false;
    if (has_given && world->flush != NULL)
        world->flush(world->self);
    return remote->was_working = remote->work->here(remote->work->context);
}

void dist_remote_run(DistRemote *remote, const DistWork *work) {
    Backoff backoff = {0};
    CLEANUP(str_free) Str message = {0};
    const int64_t start_ns = clock_now_ns();
    remote->work = work;
    remote->was_working = false;
    for (;;) {
        bool any = false;
        while (take_message(remote->ranks, &message))
            any = true;
        const bool has_given = give_all(remote);
        any = work_here(remote, has_given) || has_given || any;
        if (remote->busy == 0 && work->is_over(work->context))
            break;
        if (any)
            backoff_reset(&backoff);
        else
            backoff_wait(&backoff);
    }
    remote->work = NULL;
    const int64_t wall_ns = clock_now_ns() - start_ns;
    remote->ranks->costs.wall_ns += wall_ns;
    remote->ranks->costs.slots = remote->slot_count;
    remote->ranks->costs.idle = 0;
    for (int i = 0; i < remote->slot_count; i++)
        remote->ranks->costs.idle += remote->slots[i].job_ns == 0;
    remote->ranks->costs.slots_ns += wall_ns * (remote->slot_count + work->local_slots);
}

void dist_remote_count(DistRemote *remote, uint64_t jobs, int64_t compute_ns) {
    remote->ranks->costs.jobs += jobs;
    remote->ranks->costs.compute_ns += compute_ns;
}

void dist_remote_count_alone(DistRemote *remote, uint64_t jobs, int64_t compute_ns) {
    dist_remote_count(remote, jobs, compute_ns);
    remote->ranks->costs.wall_ns += compute_ns;
    remote->ranks->costs.slots_ns += compute_ns * (remote->slot_count + 1);
}

double dist_remote_message_ns(const DistRemote *remote) {
    return remote->message_ns;
}

int64_t dist_remote_last_ns(const DistRemote *remote, int slot) {
    return remote->slots[slot].computed_ns;
}
