// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label.h"

#include "base/clock.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "data/label_answer.h"
#include "engines/uci_client.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    TRIES = 2,
    START_TRIES = 3,
    // All engines may fail at once, for a reason that passes: so many each.
    FAILURES_EACH_MAX = 10,
    HANGS_AT_FIRST_EACH_MAX = 2, // without any answer before: hanging takes so long
    BATCH = 500,                 // answers in a transaction, or those of half a second
    BATCH_NS = 500000000,
    WAKE_NS = 100000000,
};

// Engines are talked to by one thread each; the caller's thread alone writes to the cache.
typedef struct Run {
    LabelSet *set;
    const LabelConfig *config;
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

// Ends the run; the first reason stands.
static void stop_run(Run *run, Status status) {
    pthread_mutex_lock(&run->lock);
    if (!run->is_stopped) {
        run->is_stopped = true;
        run->status = status;
        if (status != OK)
            str_add(&run->message, error_message());
    }
    pthread_mutex_unlock(&run->lock);
}

static void stop_cancelled(Run *run) {
    stop_run(run, OK);
    pthread_mutex_lock(&run->lock);
    run->tally.is_cancelled = true;
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

// An engine failed (the message is set). False when that happens all the time.
static bool note_failure(Run *run, bool was_hanging) {
    pthread_mutex_lock(&run->lock);
    run->tally.restarts++;
    int failures = ++run->failures_in_a_row;
    bool is_first = run->tally.asked == 0;
    pthread_mutex_unlock(&run->lock);
    const int engines = run->config->concurrency > 2 ? run->config->concurrency : 2;
    if (failures <
        engines * (was_hanging && is_first ? HANGS_AT_FIRST_EACH_MAX : FAILURES_EACH_MAX))
        return true;
    error_prefix("the mentor failed %d times in a row; the last time", failures);
    stop_run(run, ERR_ENGINE);
    return false;
}

static Status start_client(Run *run, UciClient **out) {
    UciConfig config = {.spec = run->config->mentor->spec, .cancel_fd = run->config->cancel_fd};
    Status status = ERR_ENGINE;
    for (int i = 0; i < START_TRIES && status == ERR_ENGINE; i++)
        status = uci_client_open(out, &config);
    return status;
}

// The position as the key has it: without counters, so that a label belongs to the four fields.
static Status ask(const Run *run, UciClient *client, size_t position, LabelAnswer *out) {
    const EngineSpec *spec = run->config->mentor->spec;
    UciGo go = {.time_ms = {-1, -1},
                .move_ms = spec->limits.move_ms,
                .depth = spec->limits.depth,
                .nodes = spec->limits.nodes,
                .cap_ms = spec->limits.move_ms + run->config->cap_ms};
    Position pos;
    UciAnswer answer;
    StrView key = view_from_string(label_set_key(run->set, position));
    Status status = fen_read(&key, &pos);
    if (status == OK)
        status = uci_client_new_game(client);
    if (status != OK)
        return status;
    uci_client_set_position(client, &pos);
    status = uci_client_go(client, &go, &answer);
    if (status != OK)
        return status;
    if (answer.is_late)
        status = error_set(ERR_ENGINE, "no answer within %.1f s%s", (double)go.cap_ms / 1000,
                           go.nodes > 0 ? " (not every engine knows go nodes)" : "");
    else
        status = label_answer_take(&pos, &answer, run->config->mentor->lines, out);
    if (status != OK)
        error_prefix("%s", spec->name);
    return status;
}

static bool is_cancelled(const Run *run) {
    struct pollfd fd = {.fd = run->config->cancel_fd, .events = POLLIN};
    return run->config->cancel_fd >= 0 && poll(&fd, 1, 0) > 0;
}

// Keeps the message, which closing may overwrite.
static void close_failed(UciClient **client) {
    char *why = mem_copy_string(error_message());
    uci_client_close(*client);
    *client = NULL;
    error_set(ERR_ENGINE, "%s", why);
    free(why);
}

// One try; true when it ended the matter: an answer, or the end of the run.
static bool try_position(Run *run, UciClient **client, size_t position) {
    LabelAnswer answer = {0};
    if (*client == NULL) {
        Status status = start_client(run, client);
        if (status != OK) {
            if (is_cancelled(run))
                stop_cancelled(run);
            else
                stop_run(run, status);
            return true;
        }
    }
    int64_t start = clock_now_ns();
    if (ask(run, *client, position, &answer) == OK) {
        Str text = {0};
        label_answer_write(&answer, &text);
        finish_position(run, position, text.text, NULL);
        return true;
    }
    bool was_cancelled = uci_client_fault(*client) == ENGINE_CANCELLED;
    bool was_hanging = clock_now_ns() - start >= run->config->cap_ms * 1000000;
    close_failed(client);
    if (was_cancelled)
        stop_cancelled(run);
    return was_cancelled || !note_failure(run, was_hanging);
}

static void *work(void *context) {
    Run *run = context;
    UciClient *client = NULL;
    size_t position;
    while (take_next(run, &position)) {
        bool is_settled = false;
        for (int i = 0; i < TRIES && !is_settled; i++)
            is_settled = try_position(run, &client, position);
        if (!is_settled)
            finish_position(run, position, NULL, mem_copy_string(error_message()));
    }
    uci_client_close(client);
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

// Waits for news, but no longer than a moment. Returns how many positions are finished.
static size_t wait_for_news(Run *run, size_t written, bool *is_over) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAKE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&run->lock);
    int code = 0;
    while (code == 0 && run->workers > 0 && run->done_count - written < BATCH)
        code = pthread_cond_timedwait(&run->news, &run->lock, &until);
    size_t done = run->done_count;
    *is_over = run->workers == 0;
    pthread_mutex_unlock(&run->lock);
    return done;
}

// Writes to the cache what the workers found out, until all have ended.
static void write_answers(Run *run) {
    size_t written = 0;
    int64_t last_ns = clock_now_ns();
    for (bool is_over = false; !is_over;) {
        size_t done = wait_for_news(run, written, &is_over);
        if (is_over || done - written >= BATCH || clock_now_ns() - last_ns >= BATCH_NS) {
            // What could not be written is tried again with the next batch, for the last time at
            // the end.
            Status status = write_batch(run, written, done);
            if (status == OK)
                written = done;
            else
                stop_run(run, status);
            run->tally.unsaved = done - written;
            last_ns = clock_now_ns();
        }
        if (run->config->on_progress != NULL)
            run->config->on_progress(run->config->context, done);
    }
}

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
        stop_run(run, error_set(ERR_LIMIT, "cannot start a thread"));
    write_answers(run);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

Status label_run(LabelSet *set, const LabelConfig *config, LabelTally *tally) {
    Run run = {.set = set, .config = config, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&run.news, &attributes);
    pthread_condattr_destroy(&attributes);
    list_missing(&run);
    run_workers(&run);
    *tally = run.tally;
    Status status = run.status == OK ? OK : error_set(run.status, "%s", str_text(&run.message));
    pthread_cond_destroy(&run.news);
    pthread_mutex_destroy(&run.lock);
    str_free(&run.message);
    free(run.todo);
    free(run.done);
    return status;
}
