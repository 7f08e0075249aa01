// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/suite.h"

#include "base/mem.h"
#include "chess/epd_file.h"
#include "chess/movegen.h"
#include "engines/uci_client.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAP_EXTRA_MS = 10000, // how much longer than its time an engine may take before it hangs
    CAP_MS = 600000,      // without a time
    START_FAILURES_MAX = 3,
};

typedef struct SuiteRun {
    const Suite *suite;
    const SuiteConfig *config;
    SuiteCallback *on_answer;
    void *context;
    pthread_mutex_t lock; // guards everything below, and the callback
    size_t next_start, next_end;
    SuiteAnswer *answers; // owned
    bool *is_done;        // owned
    Status status;
    char message[SUITE_DETAIL_SIZE];
} SuiteRun;

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)line;
    Suite *suite = context;
    SuiteItem item = {.line = number};
    Status status = epd_get_moves(epd, "bm", &item.best);
    if (status == OK)
        status = epd_get_moves(epd, "am", &item.avoid);
    if (status != OK)
        return status;
    if (item.best.count + item.avoid.count == 0)
        return error_set(ERR_PARSE, "neither bm nor am: there is nothing to solve");
    item.pos = epd->pos;
    StrView id;
    if (epd_get_string(epd, "id", &id))
        snprintf(item.id, sizeof item.id, "%.*s", (int)id.length, id.text);
    else
        snprintf(item.id, sizeof item.id, "line %" PRIu64, number);
    suite->items = vec_grow(suite->items, &suite->capacity, suite->count + 1, sizeof *suite->items);
    suite->items[suite->count++] = item;
    return OK;
}

Status suite_load(Suite *out, const char *path) {
    *out = (Suite){0};
    Status status = epd_read_file(path, take_record, out);
    if (status == OK && out->count == 0)
        status = error_set(ERR_PARSE, "%s: no positions in this file", path);
    if (status != OK)
        suite_free(out);
    return status;
}

void suite_free(Suite *suite) {
    free(suite->items);
    *suite = (Suite){0};
}

static bool has_move(const MoveList *list, Move move) {
    for (size_t i = 0; i < list->count; i++)
        if (list->moves[i] == move)
            return true;
    return false;
}

bool suite_is_solved(const SuiteItem *item, Move move) {
    return move != MOVE_NONE && !has_move(&item->avoid, move) &&
           (item->best.count == 0 || has_move(&item->best, move));
}

static Status ask(UciClient *client, const EngineLimits *limits, const SuiteItem *item,
                  SuiteAnswer *out) {
    UciAnswer answer;
    UciGo go = {.time_ms = {-1, -1},
                .move_ms = limits->move_ms,
                .depth = limits->depth,
                .nodes = limits->nodes,
                .cap_ms = limits->move_ms > 0 ? limits->move_ms + CAP_EXTRA_MS : CAP_MS};
    Status status = uci_client_new_game(client);
    uci_client_set_position(client, &item->pos);
    if (status == OK)
        status = uci_client_go(client, &go, &answer);
    if (status != OK) {
        snprintf(out->detail, sizeof out->detail, "%s", error_message());
        return status;
    }
    *out = (SuiteAnswer){.move = move_from_uci(&item->pos, answer.best, strlen(answer.best)),
                         .has_score = (answer.info.has & UCI_INFO_SCORE) != 0,
                         .is_mate = (answer.info.has & UCI_INFO_MATE) != 0,
                         .score = answer.info.score,
                         .depth = answer.info.depth,
                         .nodes = answer.info.nodes,
                         .elapsed_ns = answer.elapsed_ns};
    out->is_solved = suite_is_solved(item, out->move);
    if (out->move == MOVE_NONE)
        snprintf(out->detail, sizeof out->detail, "illegal move %s", answer.best);
    return OK;
}

static bool take_next(SuiteRun *run, size_t *out) {
    pthread_mutex_lock(&run->lock);
    bool has_next = run->status == OK && run->next_start < run->suite->count;
    if (has_next)
        *out = run->next_start++;
    pthread_mutex_unlock(&run->lock);
    return has_next;
}

static void give_answer(SuiteRun *run, size_t index, const SuiteAnswer *answer) {
    pthread_mutex_lock(&run->lock);
    run->answers[index] = *answer;
    run->is_done[index] = true;
    for (; run->next_end < run->suite->count && run->is_done[run->next_end]; run->next_end++)
        run->on_answer(run->context, &run->suite->items[run->next_end],
                       &run->answers[run->next_end]);
    pthread_mutex_unlock(&run->lock);
}

static void stop_run(SuiteRun *run, Status status) {
    pthread_mutex_lock(&run->lock);
    if (run->status == OK)
        snprintf(run->message, sizeof run->message, "%s", error_message());
    run->status = status;
    pthread_mutex_unlock(&run->lock);
}

static Status start_client(const SuiteRun *run, UciClient **out) {
    UciConfig config = {.spec = run->config->engine, .cancel_fd = run->config->cancel_fd};
    Status status = ERR_ENGINE;
    for (int i = 0; i < START_FAILURES_MAX && status == ERR_ENGINE; i++)
        status = uci_client_open(out, &config);
    return status;
}

static void *ask_positions(void *context) {
    SuiteRun *run = context;
    UciClient *client = NULL;
    size_t index;
    Status status = OK;
    while (status == OK && take_next(run, &index)) {
        SuiteAnswer answer = {0};
        if (client == NULL)
            status = start_client(run, &client);
        if (status != OK) {
            stop_run(run, status);
            break;
        }
        if (ask(client, &run->config->engine->limits, &run->suite->items[index], &answer) != OK) {
            if (uci_client_fault(client) == ENGINE_CANCELLED)
                stop_run(run, ERR_ENGINE);
            uci_client_close(client);
            client = NULL;
        }
        give_answer(run, index, &answer);
    }
    uci_client_close(client);
    return NULL;
}

Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                 void *context) {
    SuiteRun run = {.suite = suite,
                    .config = config,
                    .on_answer = on_answer,
                    .context = context,
                    .lock = PTHREAD_MUTEX_INITIALIZER};
    run.answers = mem_alloc_zero(suite->count, sizeof *run.answers);
    run.is_done = mem_alloc_zero(suite->count, sizeof *run.is_done);
    pthread_t threads[SUITE_CONCURRENCY_MAX];
    int count = 0;
    while (count < config->concurrency && count < SUITE_CONCURRENCY_MAX &&
           (size_t)count < suite->count &&
           pthread_create(&threads[count], NULL, ask_positions, &run) == 0)
        count++;
    if (count == 0)
        run.status = error_set(ERR_LIMIT, "cannot start a thread");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(run.answers);
    free(run.is_done);
    return run.message[0] == '\0' ? run.status : error_set(run.status, "%s", run.message);
}
