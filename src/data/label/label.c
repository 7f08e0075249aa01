// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "data/label/label_answer.h"
#include "data/label/label_away.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    // All engines may fail at once, for a reason that passes: so many each.
    FAILURES_EACH_MAX = 10,
    HANGS_AT_FIRST_EACH_MAX = 2, // without any answer before: hanging takes so long
    BATCH = 500,                 // answers in a transaction, or those of half a second
    BATCH_NS = 500000000,
    RETRY_S = 5, // after a batch that could not be written
    WAKE_NS = 100000000,
};

// Engines are talked to by one thread each; the caller's thread alone writes to the cache.
typedef struct Run {
    LabelSet *set;
    const LabelConfig *config;
    LabelAsking asking;
    DistRemote *remote;    // NULL: no other ranks
    size_t written, tried; // of `done`, to the cache: less where writing failed
    int64_t tried_ns, told_ns;
    bool is_unsaved_told;
    size_t *todo; // positions to ask
    size_t todo_count;
    pthread_mutex_t lock; // guards everything below
    pthread_cond_t news;  // a full batch, or a worker that ended
    size_t next;          // of `todo`
    size_t *done;         // positions in the order in which they were finished
    size_t done_count;
    int workers, failures_in_a_row;
    bool is_stopped;
    Status status;
    Str message;
    LabelTally tally;
    uint64_t here_count; // positions that were asked here, and how long that took
    int64_t here_ns;
} Run;

static Status check_cached(const char *key, const Str *answer) {
    Position pos;
    LabelAnswer ignored;
    StrView text = view_from_string(key);
    Status status = fen_read(&text, &pos);
    if (status == OK)
        status = label_answer_read(&pos, view_from_string(str_text(answer)), &ignored);
    if (status != OK)
        error_prefix("the cache is damaged: delete it, or give another file with --cache");
    return status;
}

Status label_look_up(LabelSet *set, LabelCache *cache, size_t *found, size_t *missing) {
    Str answer = {0};
    Status status = OK;
    *found = *missing = 0;
    for (size_t i = 0; i < set->position_count && status == OK; i++) {
        bool is_there = false;
        if (set->positions[i].is_over)
            continue;
        str_clear(&answer);
        if (cache != NULL)
            status = label_cache_get(cache, label_set_key(set, i), &answer, &is_there);
        if (status == OK && is_there)
            status = check_cached(label_set_key(set, i), &answer);
        if (status == OK && is_there)
            set->positions[i].answer = mem_copy_string(str_text(&answer));
        *(is_there ? found : missing) += 1;
    }
    str_free(&answer);
    return status;
}

// Ends the run, OK: because it was cancelled. The first reason stands.
static void stop_run(Run *run, Status status, const char *reason) {
    pthread_mutex_lock(&run->lock);
    if (!run->is_stopped) {
        run->is_stopped = true;
        run->status = status;
        run->tally.is_cancelled = status == OK;
        str_add(&run->message, reason);
    }
    pthread_mutex_unlock(&run->lock);
}

static bool take_next(Run *run, size_t *position) {
    pthread_mutex_lock(&run->lock);
    bool is_there = !run->is_stopped && run->next < run->todo_count;
    if (is_there)
        *position = run->todo[run->next++];
    pthread_mutex_unlock(&run->lock);
    return is_there;
}

static void finish_position(Run *run, size_t position, char *answer, char *failure) {
    run->set->positions[position].answer = answer;
    run->set->positions[position].failure = failure;
    pthread_mutex_lock(&run->lock);
    run->done[run->done_count++] = position;
    if (answer != NULL) {
        run->failures_in_a_row = 0;
        run->tally.asked++;
    } else {
        run->tally.failed++;
    }
    // Waking the writer for each answer would cost more than the answer.
    if (run->done_count % BATCH == 0)
        pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->lock);
}

// An engine failed. False when that happens all the time, which ends the run.
static bool note_failure(Run *run, bool was_hanging, const char *reason) {
    pthread_mutex_lock(&run->lock);
    run->tally.restarts++;
    int failures = ++run->failures_in_a_row;
    bool is_first = run->tally.asked == 0;
    pthread_mutex_unlock(&run->lock);
    const int there = run->config->concurrency + dist_remote_slots(run->remote);
    const int engines = there > 2 ? there : 2;
    if (failures <
        engines * (was_hanging && is_first ? HANGS_AT_FIRST_EACH_MAX : FAILURES_EACH_MAX))
        return true;
    Str text = {0};
    str_addf(&text, "the mentor failed %d times in a row; the last time: %s", failures, reason);
    stop_run(run, ERR_ENGINE, str_text(&text));
    str_free(&text);
    return false;
}

// Takes what came of a position, and its text.
static void settle(Run *run, size_t position, LabelTrial *trial) {
    const char *reason = str_text(&trial->text);
    bool goes_on = true;
    if (trial->outcome == LABEL_CANCELLED)
        stop_run(run, OK, "");
    else if (trial->outcome == LABEL_NOT_STARTED)
        stop_run(run, ERR_ENGINE, reason);
    else
        for (int i = 0; i < trial->failures && goes_on; i++)
            goes_on = note_failure(run, i < trial->hangs, reason);
    if (trial->outcome == LABEL_ANSWERED)
        finish_position(run, position, trial->text.text, NULL);
    else if (trial->outcome == LABEL_FAILED && goes_on)
        finish_position(run, position, NULL, trial->text.text);
    else
        str_free(&trial->text);
    trial->text = (Str){0};
}

static void count_time(Run *run, int64_t elapsed_ns) {
    pthread_mutex_lock(&run->lock);
    run->here_count++;
    run->here_ns += elapsed_ns;
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *context) {
    Run *run = context;
    LabelAsker *asker = label_asker_new(&run->asking, run->config->cancel_fd);
    size_t position;
    while (take_next(run, &position)) {
        LabelTrial trial;
        const int64_t start_ns = clock_now_ns();
        label_ask(asker, label_set_key(run->set, position), &trial);
        count_time(run, clock_now_ns() - start_ns);
        settle(run, position, &trial);
    }
    label_asker_free(asker);
    pthread_mutex_lock(&run->lock);
    run->workers--;
    pthread_cond_signal(&run->news);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

static Status write_batch(Run *run, size_t from, size_t to) {
    LabelCache *cache = run->config->cache;
    if (cache == NULL || from == to)
        return OK;
    Status status = label_cache_begin(cache);
    for (size_t i = from; i < to && status == OK; i++) {
        size_t position = run->done[i];
        const char *answer = run->set->positions[position].answer;
        if (answer != NULL)
            status = label_cache_put(cache, label_set_key(run->set, position), answer);
    }
    if (status == OK)
        status = label_cache_commit(cache);
    if (status != OK)
        label_cache_roll_back(cache);
    return status;
}

// Waits for news, but no longer than a moment.
static void wait_for_news(Run *run) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAKE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&run->lock);
    int code = 0;
    while (code == 0 && run->workers > 0 &&
           (run->written < run->tried || run->done_count - run->tried < BATCH))
        code = pthread_cond_timedwait(&run->news, &run->lock, &until);
    pthread_mutex_unlock(&run->lock);
}

static bool is_due(const Run *run, size_t done, int64_t now) {
    const int64_t elapsed = now - run->tried_ns;
    if (run->written < run->tried)
        return elapsed >= RETRY_S * INT64_C(1000000000);
    return done - run->tried >= BATCH || elapsed >= BATCH_NS;
}

// What cannot be written is tried again, for the last time at the end. It is in memory, and goes to
// the output: no reason to end the work.
static void save_answers(Run *run, size_t done) {
    if (write_batch(run, run->written, done) == OK) {
        run->written = done;
    } else if (!run->is_unsaved_told && run->config->on_unsaved != NULL) {
        run->is_unsaved_told = true;
        run->config->on_unsaved(run->config->context, error_message());
    }
    run->tally.unsaved = 0;
    for (size_t i = run->written; i < done; i++)
        run->tally.unsaved += run->set->positions[run->done[i]].answer != NULL;
    run->tried = done;
}

// Writes to the cache what the workers found out, where it is much or old, and tells how far they
// have come.
static void write_answers(Run *run, bool is_last) {
    pthread_mutex_lock(&run->lock);
    const size_t done = run->done_count;
    pthread_mutex_unlock(&run->lock);
    const int64_t now = clock_now_ns();
    if (is_last || is_due(run, done, now)) {
        save_answers(run, done);
        run->tried_ns = now;
    }
    const bool is_news = is_last || now - run->told_ns >= WAKE_NS;
    if (is_news && run->config->on_progress != NULL)
        run->config->on_progress(run->config->context, done);
    run->told_ns = is_news ? now : run->told_ns;
}

static bool are_working(Run *run) {
    pthread_mutex_lock(&run->lock);
    const bool are = run->workers > 0;
    pthread_mutex_unlock(&run->lock);
    return are;
}

// --- other ranks ---

static bool next_away(void *context, int slot, uint64_t *tag, Str *out) {
    Run *run = context;
    size_t position;
    (void)slot;
    if (!take_next(run, &position))
        return false;
    *tag = position;
    str_add(out, label_set_key(run->set, position));
    return true;
}

static void take_away(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    Run *run = context;
    LabelTrial trial;
    if (status == OK)
        status = label_trial_unpack(answer, &trial);
    if (status == OK) {
        settle(run, tag, &trial);
        return;
    }
    error_prefix("rank %d", dist_remote_rank_of(run->remote, slot));
    stop_run(run, status, error_message());
}

static size_t left_away(void *context) {
    Run *run = context;
    pthread_mutex_lock(&run->lock);
    const size_t left = run->todo_count - run->next;
    pthread_mutex_unlock(&run->lock);
    return left;
}

static bool is_away_over(void *context) {
    return !are_working(context);
}

// What this thread does while engines are asked: it writes, and watches for the end.
static bool watch(void *context) {
    Run *run = context;
    if (cancel_is_told(run->config->cancel_fd))
        stop_run(run, OK, "");
    pthread_mutex_lock(&run->lock);
    const bool is_stopped = run->is_stopped;
    pthread_mutex_unlock(&run->lock);
    if (is_stopped)
        dist_remote_cancel(run->remote);
    write_answers(run, false);
    return false;
}

// --- all of it ---

static void list_missing(Run *run) {
    run->todo = mem_alloc_zero(run->set->position_count + 1, sizeof *run->todo);
    run->done = mem_alloc_zero(run->set->position_count + 1, sizeof *run->done);
    for (size_t i = 0; i < run->set->position_count; i++)
        if (!run->set->positions[i].is_over && run->set->positions[i].answer == NULL)
            run->todo[run->todo_count++] = i;
}

// Counts the worker before it runs, so that the writer cannot think that all have ended.
static bool start_worker(Run *run, pthread_t *thread) {
    pthread_mutex_lock(&run->lock);
    run->workers++;
    pthread_mutex_unlock(&run->lock);
    if (pthread_create(thread, NULL, work, run) == 0)
        return true;
    pthread_mutex_lock(&run->lock);
    run->workers--;
    pthread_mutex_unlock(&run->lock);
    return false;
}

static void run_workers(Run *run) {
    pthread_t threads[LABEL_CONCURRENCY_MAX];
    int count = 0;
    while (count < run->config->concurrency && count < LABEL_CONCURRENCY_MAX &&
           (size_t)count < run->todo_count && start_worker(run, &threads[count]))
        count++;
    if (count == 0 && run->todo_count > 0)
        stop_run(run, ERR_LIMIT, "cannot start a thread");
    const DistWork work_away = {.context = run,
                                .next = next_away,
                                .done = take_away,
                                .is_over = is_away_over,
                                .left = left_away,
                                .here = watch,
                                .local_slots = count};
    if (run->remote != NULL)
        dist_remote_run(run->remote, &work_away);
    while (are_working(run)) {
        wait_for_news(run);
        write_answers(run, false);
    }
    write_answers(run, true);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (run->remote != NULL)
        dist_remote_count(run->remote, run->here_count, run->here_ns);
}

Status label_run(LabelSet *set, const LabelConfig *config, LabelTally *tally) {
    Run run = {.set = set,
               .config = config,
               .asking = {config->mentor->spec, config->mentor->lines, config->cap_ms},
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .tried_ns = clock_now_ns()};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&run.news, &attributes);
    pthread_condattr_destroy(&attributes);
    list_missing(&run);
    Status status = OK;
    // Engines elsewhere need not be started for nothing.
    if (run.todo_count > 0)
        status = label_away_open(&run.remote, config->ranks, &run.asking, config->rank_concurrency);
    if (status == OK) {
        run_workers(&run);
        status = run.status == OK ? OK : error_set(run.status, "%s", str_text(&run.message));
    }
    dist_remote_close(run.remote);
    *tally = run.tally;
    pthread_cond_destroy(&run.news);
    pthread_mutex_destroy(&run.lock);
    str_free(&run.message);
    free(run.todo);
    free(run.done);
    return status;
}
