// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/parts.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
    LONG_NS = 200000000,  // what takes longer is handed out in several rounds
    STINT_NS = 2000000,   // this rank looks for messages so often
    TRY_AGAIN_EVERY = 64, // calls: messages, or a slot that had no part, may have become faster
    TRIAL_STINTS = 8,     // then messages are timed more closely
};

typedef struct Parts {
    const DistParts *parts;
    DistRemote *remote;
    DistPace *pace;
    size_t n, next;
    double end_ns; // when a round should be done, from its beginning
    double stint_ns;
    bool is_in_rounds;
    size_t round_at; // where `end_ns` was found
    bool is_trial;   // everybody gets something
    Status status;
} Parts;

// Before anything is known of a slot it is taken to be as fast as this rank.
static double slot_ns(const Parts *parts, int slot) {
    const DistPace *pace = parts->pace;
    return parts->parts->weight * (pace->slot_ns[slot] > 0 ? pace->slot_ns[slot] : pace->here_ns);
}

static double here_ns(const Parts *parts) {
    return parts->parts->weight * parts->pace->here_ns;
}

// When so many things are done, if all end at the same time.
static double time_for(const Parts *parts, size_t count) {
    const double message_ns = dist_remote_message_ns(parts->remote);
    double speed = 1 / here_ns(parts), work = (double)count;
    for (int i = 0; i < dist_remote_slots(parts->remote); i++) {
        speed += 1 / slot_ns(parts, i);
        work += message_ns / slot_ns(parts, i);
    }
    return work / speed;
}

static size_t in_grains(const Parts *parts, double count) {
    const size_t grain = parts->parts->grain, left = parts->n - parts->next;
    const size_t rounded = count <= 0 ? 0 : (size_t)(count / (double)grain + 0.5) * grain;
    return rounded < left ? rounded : left;
}

static Status do_here(Parts *parts, size_t count, bool is_alone) {
    const int64_t start_ns = clock_now_ns();
    const size_t first = parts->next;
    parts->next += count;
    const Status status = parts->parts->here(parts->parts->context, first, count);
    const int64_t took_ns = clock_now_ns() - start_ns;
    dist_blend_mean(&parts->pace->here_ns, (double)took_ns / (double)count / parts->parts->weight);
    if (is_alone)
        dist_remote_count_alone(parts->remote, 1, took_ns);
    else
        dist_remote_count(parts->remote, 1, took_ns);
    return status;
}

static bool next_part(void *context, int slot, uint64_t *tag, Str *work) {
    Parts *parts = context;
    if (parts->status != OK || parts->next == parts->n)
        return false;
    // A round is half of what is left.
    if (parts->is_in_rounds && parts->round_at != parts->next) {
        parts->end_ns = time_for(parts, parts->n - parts->next) / 2;
        parts->round_at = parts->next;
    }
    const double share =
        (parts->end_ns - dist_remote_message_ns(parts->remote)) / slot_ns(parts, slot);
    const size_t first = parts->next, part = in_grains(parts, share);
    const size_t count =
        part == 0 && parts->is_trial ? in_grains(parts, (double)parts->parts->grain) : part;
    if (count == 0)
        return false;
    parts->next += count;
    *tag = (uint64_t)first << 32 | count;
    parts->parts->pack(parts->parts->context, first, count, work);
    return true;
}

static void take_answer(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    Parts *parts = context;
    const size_t first = tag >> 32, count = tag & UINT32_MAX;
    dist_blend_mean(&parts->pace->slot_ns[slot], (double)dist_remote_last_ns(parts->remote, slot) /
                                                     (double)count / parts->parts->weight);
    if (status == OK)
        status = parts->parts->unpack(parts->parts->context, first, count, answer);
    if (status == OK)
        return;
    error_prefix("rank %d", dist_remote_rank_of(parts->remote, slot));
    parts->status = status;
}

static bool work_here(void *context) {
    Parts *parts = context;
    const size_t left = parts->n - parts->next;
    if (left == 0 || parts->status != OK)
        return false;
    size_t count = in_grains(parts, parts->stint_ns / here_ns(parts));
    count = count == 0 ? parts->parts->grain : count;
    parts->status = do_here(parts, count < left ? count : left, false);
    // What was planned for the slots was for them to do once.
    parts->is_in_rounds = true;
    return true;
}

static bool is_over(void *context) {
    const Parts *parts = context;
    return parts->next == parts->n || parts->status != OK;
}

void dist_pace_free(DistPace *pace) {
    free(pace->slot_ns);
    *pace = (DistPace){0};
}

Status dist_parts_run(DistRemote *remote, DistPace *pace, size_t n, const DistParts *list) {
    if (remote == NULL || n == 0)
        return n == 0 ? OK : list->here(list->context, 0, n);
    Parts parts = {.parts = list, .remote = remote, .pace = pace, .n = n};
    if (pace->slot_ns == NULL)
        pace->slot_ns = mem_alloc_zero((size_t)dist_remote_slots(remote), sizeof *pace->slot_ns);
    if (pace->here_ns == 0)
        parts.status = do_here(&parts, list->grain < n ? list->grain : n, true);
    parts.end_ns = time_for(&parts, n - parts.next);
    parts.is_in_rounds = parts.end_ns > LONG_NS;
    parts.round_at = n;
    parts.is_trial = ++pace->calls % TRY_AGAIN_EVERY == 0;
    const double alone_ns = (double)(n - parts.next) * here_ns(&parts);
    parts.stint_ns = STINT_NS;
    if (parts.is_trial && alone_ns / TRIAL_STINTS < STINT_NS)
        parts.stint_ns = alone_ns / TRIAL_STINTS;
    if (parts.end_ns >= alone_ns && !parts.is_trial) {
        const Status status = parts.status == OK && parts.next < n
                                  ? do_here(&parts, n - parts.next, true)
                                  : parts.status;
        return status;
    }
    const DistWork work = {.context = &parts,
                           .next = next_part,
                           .is_by_slot = true,
                           .done = take_answer,
                           .is_over = is_over,
                           .here = work_here,
                           .local_slots = 1};
    dist_remote_run(remote, &work);
    return parts.status;
}
