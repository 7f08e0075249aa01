// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_away.h"

#include "base/bytes.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "chess/position.h"
#include "engines/command.h"
#include "engines/process.h"

#include <limits.h>
#include <stdlib.h>

// --- on rank 0 ---

Status label_away_open(DistRemote **out, DistRanks *ranks, const LabelAsking *asking, int engines) {
    *out = NULL;
    if (ranks == NULL)
        return OK;
    Str context = {0};
    engine_spec_pack(asking->spec, &context);
    bytes_add_u64(&context, command_program_hash(asking->spec));
    bytes_add_short(&context, asking->lines);
    bytes_add_short(&context, asking->cap_ms);
    const DistRemoteConfig setup = {.service = label_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .threads = engines,
                                    .may_hang = true};
    Status status = dist_remote_open(out, ranks, &setup);
    if (status == OK)
        status = dist_remote_wait(*out, 0);
    str_free(&context);
    return status;
}

void label_trial_pack(const LabelTrial *trial, Str *out) {
    bytes_add_u8(out, (uint8_t)trial->outcome);
    bytes_add_short(out, trial->failures);
    bytes_add_short(out, trial->hangs);
    bytes_add_string(out, str_text(&trial->text));
}

Status label_trial_unpack(StrView bytes, LabelTrial *out) {
    ByteReader in = {.rest = bytes};
    const int outcome = bytes_u8(&in);
    *out = (LabelTrial){.failures = bytes_short_in(&in, 0, INT_MAX)};
    out->hangs = bytes_short_in(&in, 0, INT_MAX);
    char *text = bytes_string(&in);
    if (bytes_are_done(&in) && text != NULL && outcome <= LABEL_NOT_STARTED) {
        out->outcome = (LabelOutcome)outcome;
        str_add(&out->text, text);
        free(text);
        return OK;
    }
    free(text);
    return error_set(ERR_PARSE, "what came back is no label");
}

// --- on the other ranks ---

typedef struct Office {
    EngineSpec spec;
    LabelAsking asking;
    LabelAsker **askers; // owned, and each: made by the thread that asks
    int count, cancel_fd;
} Office;

static Status open_office(void **self, StrView context, DistPool *pool, int cancel_fd,
                          uint64_t *fingerprint) {
    Office *office = *self = mem_alloc_zero(1, sizeof *office);
    ByteReader in = {.rest = context};
    (void)fingerprint;
    chess_init();
    office->count = dist_pool_threads(pool);
    office->askers = mem_alloc_zero((size_t)office->count, sizeof(LabelAsker *));
    office->cancel_fd = cancel_fd;
    engine_spec_unpack(&in, &office->spec);
    const uint64_t hash = bytes_u64(&in);
    office->asking = (LabelAsking){&office->spec, bytes_short_in(&in, 1, INT_MAX), 0};
    office->asking.cap_ms = bytes_short(&in);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "these bytes describe no mentor");
    const Status status = command_program_check(&office->spec, hash);
    return status == OK ? descriptors_check(process_descriptors((uint64_t)office->count, 1))
                        : status;
}

static Status answer_key(void *self, int worker, StrView work, Str *out) {
    Office *office = self;
    Str key = {0};
    LabelTrial trial;
    if (office->askers[worker] == NULL)
        office->askers[worker] = label_asker_new(&office->asking, office->cancel_fd);
    str_append(&key, work.text, work.length);
    label_ask(office->askers[worker], str_text(&key), &trial);
    label_trial_pack(&trial, out);
    str_free(&trial.text);
    str_free(&key);
    return OK;
}

static void close_office(void *self) {
    Office *office = self;
    for (int i = 0; i < office->count; i++)
        label_asker_free(office->askers[i]);
    engine_spec_deinit(&office->spec);
    free(office->askers);
    free(office);
}

const DistService label_service = {
    .name = "mentors", .open = open_office, .answer = answer_key, .close = close_office};
