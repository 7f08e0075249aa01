// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_ask.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/suspend.h"
#include "chess/fen.h"
#include "data/label/label_answer.h"
#include "engines/client.h"

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
    Status status = fen_read(&text, &pos);
    if (status == OK)
        status = client_new_game(asker->client, &pos);
    if (status == OK)
        status = client_go(asker->client, &limits, NULL, &answer);
    if (status != OK)
        return status;
    if (answer.is_late)
        status = error_set(ERR_ENGINE, "no answer within %.1f s%s", (double)limits.cap_ms / 1000,
                           limits.nodes > 0 ? " (not every engine knows go nodes)" : "");
    else
        status = label_answer_take(&pos, &answer, asking->lines, out);
    if (status != OK)
        error_prefix("%s", spec->name);
    return status;
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
