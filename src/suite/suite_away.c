// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_away.h"

#include "base/descriptors.h"
#include "base/mem.h"
#include "suite/suite_run.h"

#include <limits.h>
#include <stdlib.h>

// --- on rank 0 ---

Status suite_away_open(DistRemote **out, DistRanks *ranks, const Roster *roster, int positions) {
    *out = NULL;
    if (ranks == NULL)
        return OK;
    Str context = {0};
    roster_pack(roster, &context);
    const DistRemoteConfig setup = {.service = suite_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .threads = positions,
                                    .may_hang = true};
    Status status = dist_remote_open(out, ranks, &setup);
    if (status == OK)
        status = dist_remote_wait(*out, 0);
    str_free(&context);
    return status;
}

void suite_away_pack(size_t engine, const SuiteItem *item, Str *out) {
    bytes_add_short(out, (int64_t)engine);
    suite_item_pack(item, out);
}

Status suite_away_unpack(StrView bytes, Fault *fault, SuiteAnswer *out) {
    ByteReader in = {.rest = bytes};
    *fault = (Fault)bytes_short_in(&in, FAULT_NONE, FAULT_NB - 1);
    if (*fault == FAULT_NONE) {
        suite_answer_unpack(&in, out);
    } else {
        char *reason = bytes_string(&in);
        error_set(ERR_ENGINE, "%s", reason == NULL ? "" : reason);
        free(reason);
    }
    return bytes_are_done(&in) ? OK : error_set(ERR_PARSE, "what came back is no answer");
}

// --- on the other ranks ---

typedef struct Room {
    Roster roster;
    SuiteAsker **askers; // owned, and each: made by the thread that asks
    SuiteItem *items;    // owned; what each is asked
    int count, cancel_fd;
} Room;

static Status open_room(void **self, StrView context, DistPool *pool, int cancel_fd,
                        uint64_t *fingerprint) {
    Room *room = *self = mem_alloc_zero(1, sizeof *room);
    ByteReader in = {.rest = context};
    (void)fingerprint;
    chess_init();
    room->count = dist_pool_threads(pool);
    room->askers = mem_alloc_zero((size_t)room->count, sizeof(SuiteAsker *));
    room->items = mem_alloc_zero((size_t)room->count, sizeof *room->items);
    room->cancel_fd = cancel_fd;
    const Status status = roster_unpack(&in, &room->roster);
    if (status != OK)
        return status;
    const SuiteConfig config = {.engine_count = room->roster.count, .concurrency = room->count};
    return bytes_are_done(&in) ? descriptors_check(suite_descriptors(&config))
                               : error_set(ERR_PARSE, "these bytes describe no engines");
}

static Status answer_item(void *self, int worker, StrView work, Str *out) {
    Room *room = self;
    SuiteItem *item = &room->items[worker];
    SuiteAnswer answer;
    ByteReader in = {.rest = work};
    const int engine = bytes_short_in(&in, 0, (int)room->roster.count - 1);
    suite_item_unpack(&in, item);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "these bytes are no position");
    if (room->askers[worker] == NULL)
        room->askers[worker] = suite_asker_new(&room->roster, room->cancel_fd);
    const Fault fault = suite_ask(room->askers[worker], (size_t)engine, item, &answer);
    bytes_add_short(out, fault);
    if (fault == FAULT_NONE)
        suite_answer_pack(&answer, out);
    else
        bytes_add_string(out, error_message());
    return OK;
}

static void close_room(void *self) {
    Room *room = self;
    for (int i = 0; i < room->count; i++)
        suite_asker_free(room->askers[i]);
    roster_close(&room->roster);
    free(room->askers);
    free(room->items);
    free(room);
}

const DistService suite_service = {
    .name = "suites", .open = open_room, .answer = answer_item, .close = close_room};
