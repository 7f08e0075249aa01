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

// A worker's engine, started when it is first asked, and again after it failed.
typedef struct LabelWorker {
    const LabelAsking *asking;
    int cancel_fd;
    EngineClient *client; // NULL: not running
} LabelWorker;

// What came of asking once.
typedef enum Outcome {
    ANSWERED,
    FAILED, // the engine crashed, hung, or answered nonsense
    CANCELLED,
    NOT_STARTED, // there is no point in asking anything
} Outcome;

static Status start_client(LabelWorker *worker) {
    const ClientConfig config = {
        .spec = worker->asking->spec, .cancel_fd = worker->cancel_fd, .is_uci_only = true};
    Status status = ERR_ENGINE;
    // That a start was cancelled is told as if the engine had failed.
    for (int i = 0;
         i < START_TRIES && status == ERR_ENGINE && !cancel_is_requested(config.cancel_fd); i++)
        status = client_open(&worker->client, &config);
    return status;
}

static Status ask(const LabelWorker *worker, const Position *pos, LabelAnswer *out) {
    const LabelAsking *asking = worker->asking;
    const EngineSpec *spec = asking->spec;
    Limits limits = spec->limits;
    limits.cap_ms = limits.move_ms + asking->cap_ms;
    EngineAnswer answer;
    TRY(client_new_game(worker->client, pos));
    TRY(client_go(worker->client, &limits, NULL, &answer));
    if (answer.is_late)
        return error_set(ERR_ENGINE, "%s: no answer within %.1f s%s", spec->name,
                         (double)limits.cap_ms / 1000,
                         limits.nodes > 0 ? " (not every engine knows go nodes)" : "");
    TRY_PREFIX(label_answer_take(pos, &answer, asking->lines, out), "%s", spec->name);
    return OK;
}

// Asks again what is limited by time, where this program was stopped meanwhile.
static Status ask_undisturbed(const LabelWorker *worker, const Position *pos, LabelAnswer *out) {
    uint64_t suspends;
    Status status;
    do {
        suspends = suspend_count();
        status = ask(worker, pos, out);
    } while (worker->asking->spec->limits.move_ms > 0 && suspend_count() != suspends &&
             client_fault(worker->client) == FAULT_NONE);
    return status;
}

static Outcome try_once(LabelWorker *worker, StrView key, LabelTrial *trial) {
    if (cancel_is_requested(worker->cancel_fd))
        return CANCELLED;
    if (worker->client == NULL && start_client(worker) != OK)
        return cancel_is_requested(worker->cancel_fd) ? CANCELLED : NOT_STARTED;
    LabelAnswer answer = {0};
    Position pos;
    const int64_t start = clock_now_ns();
    // As the key has it: without counters, so that a label belongs to the four fields.
    if (fen_read(&key, &pos) == OK && ask_undisturbed(worker, &pos, &answer) == OK) {
        label_answer_write(&pos, &answer, &trial->text);
        return ANSWERED;
    }
    const bool was_cancelled = client_fault(worker->client) == FAULT_CANCELLED;
    trial->hangs += clock_now_ns() - start >= worker->asking->cap_ms * 1000000;
    trial->failures++;
    client_close(worker->client);
    worker->client = NULL;
    return was_cancelled ? CANCELLED : FAILED;
}

// --- as bytes, and as a service ---

void label_trial_pack(const LabelTrial *trial, Str *out) {
    bytes_add_short(out, trial->is_answered);
    bytes_add_short(out, trial->failures);
    bytes_add_short(out, trial->hangs);
    bytes_add_string(out, str_text(&trial->text));
}

Status label_trial_unpack(StrView bytes, LabelTrial *out) {
    ByteReader in = {.rest = bytes};
    *out = (LabelTrial){.is_answered = bytes_short_in(&in, 0, 1) == 1};
    out->failures = bytes_short_in(&in, 0, INT_MAX);
    out->hangs = bytes_short_in(&in, 0, INT_MAX);
    CLEANUP(mem_free_at) char *text = bytes_string(&in);
    if (!bytes_are_done(&in) || text == NULL)
        return error_set(ERR_PARSE, "malformed label");
    str_add(&out->text, text);
    return OK;
}

typedef struct RemoteAsking {
    LabelAsking asking; // first: workers are given it
    EngineSpec spec;
} RemoteAsking;

static void pack_asking(const void *self, Str *out) {
    const LabelAsking *asking = self;
    engine_spec_pack(asking->spec, out);
    bytes_add_u64(out, command_program_hash(asking->spec));
    bytes_add_short(out, asking->lines);
    bytes_add_short(out, asking->cap_ms);
}

static Status open_asking(void **self, StrView context, DistPool *pool) {
    RemoteAsking *remote = *self = mem_alloc_zero(1, sizeof *remote);
    ByteReader in = {.rest = context};
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

static void *begin_worker(void *self, int cancel_fd) {
    LabelWorker *worker = mem_alloc(sizeof *worker);
    *worker = (LabelWorker){self, cancel_fd, NULL};
    return worker;
}

static void end_worker(void *self) {
    LabelWorker *worker = self;
    client_close(worker->client);
    free(worker);
}

// Asks once more where the engine failed.
static Status answer_key(void *worker, StrView key, Str *out) {
    CLEANUP(label_trial_free) LabelTrial trial = {0};
    Outcome outcome = FAILED;
    for (int i = 0; i < TRIES && outcome == FAILED; i++)
        outcome = try_once(worker, key, &trial);
    if (outcome == NOT_STARTED || outcome == CANCELLED)
        return outcome == CANCELLED ? OK : ERR_ENGINE;
    trial.is_answered = outcome == ANSWERED;
    if (outcome == FAILED)
        str_add(&trial.text, error_message());
    label_trial_pack(&trial, out);
    return OK;
}

const DistService label_service = {.name = "labels",
                                   .pack = pack_asking,
                                   .open = open_asking,
                                   .close = close_asking,
                                   .begin = begin_worker,
                                   .answer = answer_key,
                                   .end = end_worker};
