// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_ask.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "base/suspend.h"
#include "chess/fen.h"
#include "data/label/label_answer.h"
#include "engines/client.h"
#include "engines/command.h"
#include "engines/process.h"

#include <limits.h>
#include <stdlib.h>

enum { TRIES = 2, START_TRIES = 3 };

struct LabelAsker {
    const LabelAsking *asking;
    int cancel_fd;
    EngineClient *client; // NULL: not running
};

LabelAsker *label_asker_new(const LabelAsking *asking, int cancel_fd) {
    LabelAsker *asker = mem_alloc(sizeof *asker);
    *asker = (LabelAsker){asking, cancel_fd, NULL};
    return asker;
}

void label_asker_free(LabelAsker *asker) {
    if (asker == NULL)
        return;
    client_close(asker->client);
    free(asker);
}

static Status start_client(LabelAsker *asker) {
    const ClientConfig config = {
        .spec = asker->asking->spec, .cancel_fd = asker->cancel_fd, .is_uci_only = true};
    Status status = ERR_ENGINE;
    // That a start was cancelled is told as if the engine had failed.
    for (int i = 0; i < START_TRIES && status == ERR_ENGINE && !cancel_is_told(config.cancel_fd);
         i++)
        status = client_open(&asker->client, &config);
    return status;
}

// The position as the key has it: without counters, so that a label belongs to the four fields.
static Status ask(const LabelAsker *asker, const char *key, LabelAnswer *out) {
    const LabelAsking *asking = asker->asking;
    const EngineSpec *spec = asking->spec;
    Limits limits = spec->limits;
    limits.cap_ms = limits.move_ms + asking->cap_ms;
    Position pos;
    EngineAnswer answer;
    StrView text = view_from_string(key);
    TRY(fen_read(&text, &pos));
    TRY(client_new_game(asker->client, &pos));
    TRY(client_go(asker->client, &limits, NULL, &answer));
    if (answer.is_late)
        return error_set(ERR_ENGINE, "%s: no answer within %.1f s%s", spec->name,
                         (double)limits.cap_ms / 1000,
                         limits.nodes > 0 ? " (not every engine knows go nodes)" : "");
    TRY_PREFIX(label_answer_take(&pos, &answer, asking->lines, out), "%s", spec->name);
    return OK;
}

// Asks again what is limited by time, where this program was stopped meanwhile.
static Status ask_undisturbed(const LabelAsker *asker, const char *key, LabelAnswer *out) {
    uint64_t suspends;
    Status status;
    do {
        suspends = suspend_count();
        status = ask(asker, key, out);
    } while (asker->asking->spec->limits.move_ms > 0 && suspend_count() != suspends &&
             client_fault(asker->client) == FAULT_NONE);
    return status;
}

// Keeps the message, which closing may overwrite.
static void close_failed(LabelAsker *asker) {
    char *why = mem_copy_string(error_message());
    client_close(asker->client);
    asker->client = NULL;
    error_set(ERR_ENGINE, "%s", why);
    free(why);
}

static LabelOutcome try_once(LabelAsker *asker, const char *key, LabelTrial *trial) {
    if (cancel_is_told(asker->cancel_fd))
        return LABEL_CANCELLED;
    if (asker->client == NULL && start_client(asker) != OK)
        return cancel_is_told(asker->cancel_fd) ? LABEL_CANCELLED : LABEL_NOT_STARTED;
    LabelAnswer answer = {0};
    const int64_t start = clock_now_ns();
    if (ask_undisturbed(asker, key, &answer) == OK) {
        label_answer_write(&answer, &trial->text);
        return LABEL_ANSWERED;
    }
    const bool was_cancelled = client_fault(asker->client) == FAULT_CANCELLED;
    trial->hangs += clock_now_ns() - start >= asker->asking->cap_ms * 1000000;
    trial->failures++;
    close_failed(asker);
    return was_cancelled ? LABEL_CANCELLED : LABEL_FAILED;
}

void label_ask(LabelAsker *asker, const char *key, LabelTrial *out) {
    *out = (LabelTrial){.outcome = LABEL_FAILED};
    for (int i = 0; i < TRIES && out->outcome == LABEL_FAILED; i++)
        out->outcome = try_once(asker, key, out);
    if (out->outcome != LABEL_ANSWERED)
        str_add(&out->text, error_message());
}

// --- as bytes, and as a service ---

void label_asking_pack(const LabelAsking *asking, Str *out) {
    engine_spec_pack(asking->spec, out);
    bytes_add_u64(out, command_program_hash(asking->spec));
    bytes_add_short(out, asking->lines);
    bytes_add_short(out, asking->cap_ms);
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
    CLEANUP(mem_free_at) char *text = bytes_string(&in);
    if (!bytes_are_done(&in) || text == NULL || outcome > LABEL_FAILED)
        return error_set(ERR_PARSE, "malformed label");
    out->outcome = (LabelOutcome)outcome;
    str_add(&out->text, text);
    return OK;
}

typedef struct RemoteAsking {
    LabelAsking asking; // first: workers are given it
    EngineSpec spec;
} RemoteAsking;

static Status open_asking(void **self, StrView context, DistPool *pool, uint64_t *fingerprint) {
    RemoteAsking *remote = *self = mem_alloc_zero(1, sizeof *remote);
    ByteReader in = {.rest = context};
    (void)fingerprint;
    chess_init();
    engine_spec_unpack(&in, &remote->spec);
    const uint64_t hash = bytes_u64(&in);
    remote->asking = (LabelAsking){&remote->spec, bytes_short_in(&in, 1, INT_MAX), 0};
    remote->asking.cap_ms = bytes_short(&in);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "malformed description of a mentor");
    TRY(command_program_check(&remote->spec, hash));
    return descriptors_check(process_descriptors((uint64_t)dist_pool_threads(pool), 1));
}

static void close_asking(void *self) {
    RemoteAsking *remote = self;
    engine_spec_deinit(&remote->spec);
    free(remote);
}

static void *begin_asker(void *self, int cancel_fd) {
    return label_asker_new(self, cancel_fd);
}

static Status answer_key(void *worker, StrView job, Str *out) {
    CLEANUP(str_free) Str key = {0};
    CLEANUP(label_trial_free) LabelTrial trial = {0};
    str_append(&key, job.text, job.length);
    label_ask(worker, str_text(&key), &trial);
    if (trial.outcome == LABEL_NOT_STARTED)
        return error_set(ERR_ENGINE, "%s", str_text(&trial.text));
    if (trial.outcome != LABEL_CANCELLED)
        label_trial_pack(&trial, out);
    return OK;
}

static void end_asker(void *worker) {
    label_asker_free(worker);
}

const DistService label_service = {.name = "labels",
                                   .open = open_asking,
                                   .close = close_asking,
                                   .begin = begin_asker,
                                   .answer = answer_key,
                                   .end = end_asker};
