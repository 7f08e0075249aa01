// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_run.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "engines/process.h"
#include "suite/suite_away.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Tasks are numbered by positions, then by engines.
typedef struct SuiteRun {
    const Suite *suite;
    const SuiteConfig *config;
    SuiteCallback *on_answer;
    void *context;
    size_t task_count;
    Roster roster;
    DistRemote *remote;   // NULL: no other ranks
    pthread_mutex_t lock; // guards everything below, and the callback
    int threads;          // that are at it here
    uint64_t here_count;  // positions that were asked here, and how long that took
    int64_t here_ns;
    size_t next_start, next_end;
    SuiteAnswer *answers; // owned
    bool *is_done;        // owned
    bool is_cancelled;
    Status status;
    char message[SUITE_ERROR_SIZE];
} SuiteRun;

static bool take_next(SuiteRun *run, size_t *out) {
    pthread_mutex_lock(&run->lock);
    bool has_next = run->status == OK && !run->is_cancelled && run->next_start < run->task_count;
    if (has_next)
        *out = run->next_start++;
    pthread_mutex_unlock(&run->lock);
    return has_next;
}

static void tell(SuiteRun *run, size_t task) {
    run->on_answer(run->context, task / run->config->engine_count, task % run->config->engine_count,
                   &run->answers[task]);
}

static void give_answer(SuiteRun *run, size_t task, const SuiteAnswer *answer) {
    pthread_mutex_lock(&run->lock);
    run->answers[task] = *answer;
    run->is_done[task] = true;
    for (; run->next_end < run->task_count && run->is_done[run->next_end]; run->next_end++)
        tell(run, run->next_end);
    pthread_mutex_unlock(&run->lock);
}

// What was answered behind a gap, when the run has stopped.
static void tell_rest(SuiteRun *run) {
    for (; run->next_end < run->task_count; run->next_end++)
        if (run->is_done[run->next_end])
            tell(run, run->next_end);
}

static void stop_run(SuiteRun *run, Fault fault) {
    pthread_mutex_lock(&run->lock);
    if (fault == FAULT_CANCELLED) {
        run->is_cancelled = true;
    } else if (run->status == OK) {
        snprintf(run->message, sizeof run->message, "%s", error_message());
        run->status = fault == FAULT_REFUSED ? ERR_ARG : ERR_ENGINE;
    }
    pthread_mutex_unlock(&run->lock);
}

static void count_time(SuiteRun *run, int64_t elapsed_ns) {
    pthread_mutex_lock(&run->lock);
    run->here_count++;
    run->here_ns += elapsed_ns;
    pthread_mutex_unlock(&run->lock);
}

// False when the run cannot go on.
static bool do_task(SuiteRun *run, SuiteAsker *asker, size_t task) {
    const size_t engines = run->config->engine_count;
    SuiteAnswer answer;
    const int64_t start_ns = clock_now_ns();
    const Fault fault =
        suite_ask(asker, task % engines, &run->suite->items[task / engines], &answer);
    count_time(run, clock_now_ns() - start_ns);
    if (fault == FAULT_NONE)
        give_answer(run, task, &answer);
    else
        stop_run(run, fault);
    return fault == FAULT_NONE;
}

static void *do_tasks(void *context) {
    SuiteRun *run = context;
    SuiteAsker *asker = suite_asker_new(&run->roster, run->config->cancel_fd);
    size_t task;
    while (take_next(run, &task) && do_task(run, asker, task))
        continue;
    suite_asker_free(asker);
    pthread_mutex_lock(&run->lock);
    run->threads--;
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

// --- other ranks ---

static bool next_away(void *context, int slot, uint64_t *tag, Str *out) {
    SuiteRun *run = context;
    const size_t engines = run->config->engine_count;
    size_t task;
    (void)slot;
    if (!take_next(run, &task))
        return false;
    *tag = task;
    suite_away_pack(task % engines, &run->suite->items[task / engines], out);
    return true;
}

static void take_away(void *context, int slot, uint64_t tag, Status status, StrView bytes) {
    SuiteRun *run = context;
    Fault fault = FAULT_CRASHED;
    SuiteAnswer answer;
    if (status == OK)
        status = suite_away_unpack(bytes, &fault, &answer);
    if (status == OK && fault == FAULT_NONE) {
        give_answer(run, tag, &answer);
        return;
    }
    error_prefix("rank %d", dist_remote_rank_of(run->remote, slot));
    stop_run(run, status == OK ? fault : FAULT_CRASHED);
}

static size_t left_away(void *context) {
    SuiteRun *run = context;
    pthread_mutex_lock(&run->lock);
    const size_t left = run->task_count - run->next_start;
    pthread_mutex_unlock(&run->lock);
    return left;
}

static bool is_away_over(void *context) {
    SuiteRun *run = context;
    pthread_mutex_lock(&run->lock);
    const bool is_over = run->threads == 0;
    pthread_mutex_unlock(&run->lock);
    return is_over;
}

// This thread asks nothing; it watches for the end.
static bool watch(void *context) {
    SuiteRun *run = context;
    const bool is_told = cancel_is_told(run->config->cancel_fd);
    pthread_mutex_lock(&run->lock);
    run->is_cancelled = run->is_cancelled || is_told;
    const bool is_stopping = run->is_cancelled || run->status != OK;
    pthread_mutex_unlock(&run->lock);
    if (is_stopping)
        dist_remote_cancel(run->remote);
    return false;
}

// --- all of it ---

static bool start_thread(SuiteRun *run, pthread_t *thread) {
    pthread_mutex_lock(&run->lock);
    run->threads++;
    pthread_mutex_unlock(&run->lock);
    if (pthread_create(thread, NULL, do_tasks, run) == 0)
        return true;
    pthread_mutex_lock(&run->lock);
    run->threads--;
    pthread_mutex_unlock(&run->lock);
    return false;
}

static void run_threads(SuiteRun *run) {
    pthread_t threads[SUITE_CONCURRENCY_MAX];
    int count = 0;
    while (count < run->config->concurrency && count < SUITE_CONCURRENCY_MAX &&
           (size_t)count < run->task_count && start_thread(run, &threads[count]))
        count++;
    if (count == 0)
        run->status = error_set(ERR_LIMIT, "cannot start a thread");
    const DistWork work = {.context = run,
                           .next = next_away,
                           .done = take_away,
                           .is_over = is_away_over,
                           .left = left_away,
                           .here = watch,
                           .local_slots = count};
    if (run->remote != NULL)
        dist_remote_run(run->remote, &work);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (run->remote != NULL)
        dist_remote_count(run->remote, run->here_count, run->here_ns);
}

uint64_t suite_descriptors(const SuiteConfig *config) {
    return process_descriptors((uint64_t)config->concurrency, config->engine_count);
}

Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                 void *context) {
    SuiteRun run = {.suite = suite,
                    .config = config,
                    .on_answer = on_answer,
                    .context = context,
                    .task_count = suite->count * config->engine_count,
                    .lock = PTHREAD_MUTEX_INITIALIZER};
    Status status = roster_open(&run.roster, config->engines, config->engine_count);
    if (status == OK)
        status = suite_away_open(&run.remote, config->ranks, &run.roster, config->concurrency);
    if (status == OK) {
        run.answers = mem_alloc_zero(run.task_count, sizeof *run.answers);
        run.is_done = mem_alloc_zero(run.task_count, sizeof *run.is_done);
        run_threads(&run);
        tell_rest(&run);
        status = run.message[0] == '\0' ? run.status : error_set(run.status, "%s", run.message);
    }
    dist_remote_close(run.remote);
    roster_close(&run.roster);
    free(run.answers);
    free(run.is_done);
    return status;
}
