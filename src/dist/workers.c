// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/workers.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "dist/failure.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { TICK_NS = 100000000, FINISHED_MIN = 64 };

// An answer that waits for those of earlier jobs.
typedef struct Finished {
    bool is_there;
    int rank;   // that gave it
    Str answer; // owned
} Finished;

struct DistWorkers {
    DistWorkersConfig config;
    DistPool *pool;
    void **states;          // owned, and each: of the workers here
    DistRemote *remote;     // NULL: all is done here
    int stop_fd, cancel_fd; // ours, and one that is readable where ours or the caller's is
    int64_t tick_ns;        // the last
    pthread_mutex_t lock;   // guards everything below, and the calls of `jobs`
    pthread_cond_t changed; // a job is done, or no more are begun
    const DistJobs *jobs;   // being done
    uint64_t started, delivered;
    Finished *finished; // owned; of job `number` at number % capacity
    size_t capacity;    // a power of two
    bool is_stopping;
    DistFailure failure;
    uint64_t here_count; // jobs that were done here, and how long they took
    int64_t here_ns;
};

bool dist_workers_are_valid(const DistWorkers *workers) {
    return workers->delivered <= workers->started &&
           (workers->capacity & (workers->capacity - 1)) == 0 &&
           (workers->failure.status == OK || workers->is_stopping);
}

// --- opening and closing ---

// Workers wait for one descriptor; it becomes readable when either of two does.
static Status open_cancel(DistWorkers *workers) {
    TRY(cancel_open(&workers->stop_fd));
    workers->cancel_fd = epoll_create1(EPOLL_CLOEXEC);
    const int sources[] = {workers->stop_fd, workers->config.cancel_fd};
    bool is_fine = workers->cancel_fd >= 0;
    for (int i = 0; i < 2 && is_fine; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        is_fine =
            sources[i] < 0 || epoll_ctl(workers->cancel_fd, EPOLL_CTL_ADD, sources[i], &event) == 0;
    }
    return is_fine ? OK : error_set(ERR_IO, "cannot watch for signals: %m");
}

static Status open_workers(DistWorkers *workers) {
    const DistWorkersConfig *config = &workers->config;
    CLEANUP(str_free) Str context = {0};
    if (config->ranks != NULL)
        config->service->pack(config->self, &context);
    const DistRemoteConfig remote = {.service = config->service->name,
                                     .context = view_of(str_text(&context), context.length),
                                     .threads = config->rank_threads,
                                     .may_hang = config->may_hang};
    TRY(open_cancel(workers));
    TRY(dist_remote_open(&workers->remote, config->ranks, &remote));
    return dist_remote_wait(workers->remote, 0);
}

Status dist_workers_open(DistWorkers **out, const DistWorkersConfig *config) {
    DistWorkers *workers = mem_alloc_zero(1, sizeof *workers);
    *workers = (DistWorkers){.config = *config, .stop_fd = -1, .cancel_fd = -1};
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->changed, NULL);
    workers->pool = dist_pool_new(config->threads);
    workers->states =
        mem_alloc_zero((size_t)dist_pool_threads(workers->pool), sizeof *workers->states);
    const Status status = open_workers(workers);
    *out = status == OK ? workers : NULL;
    if (status != OK)
        dist_workers_close(workers);
    return status;
}

static Status end_worker(void *context, size_t index, int worker) {
    DistWorkers *workers = context;
    (void)worker;
    dist_service_end(workers->config.service, workers->states[index]);
    return OK;
}

void dist_workers_close(DistWorkers *workers) {
    if (workers == NULL)
        return;
    dist_remote_close(workers->remote);
    // All at a time, for engines may take a while to end, and before the threads end.
    const size_t threads = workers->jobs == NULL ? 0 : (size_t)dist_pool_threads(workers->pool);
    (void)!dist_pool_run(workers->pool, threads, end_worker, workers);
    dist_pool_free(workers->pool);
    cancel_close(workers->cancel_fd);
    cancel_close(workers->stop_fd);
    pthread_cond_destroy(&workers->changed);
    pthread_mutex_destroy(&workers->lock);
    str_free(&workers->failure.message);
    free(workers->states);
    free(workers->finished);
    free(workers);
}

int dist_workers_count(const DistWorkers *workers) {
    return dist_pool_threads(workers->pool) + dist_remote_slots(workers->remote);
}

// --- jobs; all of these with the lock held ---

static DistNext begin_job(DistWorkers *workers, uint64_t *number, Str *job) {
    const DistJobs *jobs = workers->jobs;
    if (workers->is_stopping || workers->started == jobs->count)
        return DIST_NO_MORE;
    const DistNext step = jobs->next(jobs->context, workers->started, job);
    if (step == DIST_JOB)
        *number = workers->started++;
    return step;
}

void dist_workers_stop(DistWorkers *workers) {
    if (workers->is_stopping)
        return;
    workers->is_stopping = true;
    cancel_request(workers->stop_fd);
}

static void fail(DistWorkers *workers, uint64_t number, Status status) {
    dist_failure_note(&workers->failure, number, status);
    dist_workers_stop(workers);
}

static void deliver(DistWorkers *workers, uint64_t number, int rank, const Str *answer) {
    const Status status = workers->jobs->done(workers->jobs->context, number,
                                              view_of(str_text(answer), answer->length));
    if (status == ERR_PARSE && rank > 0)
        (void)error_set(status, "rank %d sent a %s", rank, error_message());
    if (status != OK)
        fail(workers, number, status);
}

// Where the answer to a job waits, with room made for it.
static Finished *place_of(DistWorkers *workers, uint64_t number) {
    size_t capacity = workers->capacity == 0 ? FINISHED_MIN : workers->capacity;
    while (number - workers->delivered >= capacity)
        capacity *= 2;
    if (capacity > workers->capacity) {
        Finished *larger = mem_alloc_zero(capacity, sizeof *larger);
        for (uint64_t i = 0; i < workers->capacity; i++) {
            const uint64_t old = workers->delivered + i;
            larger[old % capacity] = workers->finished[old % workers->capacity];
        }
        free(workers->finished);
        workers->finished = larger;
        workers->capacity = capacity;
    }
    return &workers->finished[number % capacity];
}

static void deliver_next(DistWorkers *workers) {
    const uint64_t number = workers->delivered++;
    Finished *place = &workers->finished[number % workers->capacity];
    if (place->is_there)
        deliver(workers, number, place->rank, &place->answer);
    str_free(&place->answer);
    *place = (Finished){0};
}

// Takes the answer's bytes.
static void finish_job(DistWorkers *workers, uint64_t number, int rank, Status status,
                       Str *answer) {
    if (status != OK) {
        fail(workers, number, status);
    } else if (answer->length == 0) {
        dist_workers_stop(workers);
    } else if (workers->jobs->order == DIST_AS_THEY_COME) {
        deliver(workers, number, rank, answer);
    } else {
        *place_of(workers, number) = (Finished){true, rank, *answer};
        *answer = (Str){0};
        while (workers->finished[workers->delivered % workers->capacity].is_there &&
               workers->failure.status == OK)
            deliver_next(workers);
    }
    assert(dist_workers_are_valid(workers));
    pthread_cond_broadcast(&workers->changed);
}

// What is left when all have ended.
static void finish_rest(DistWorkers *workers) {
    const bool with_gaps = workers->jobs->order == DIST_IN_ORDER_WITH_GAPS;
    while (with_gaps && workers->capacity > 0 && workers->delivered < workers->started)
        deliver_next(workers);
    for (size_t i = 0; i < workers->capacity; i++)
        str_free(&workers->finished[i].answer);
    free(workers->finished);
    workers->finished = NULL;
    workers->capacity = 0;
}

// --- workers here ---

// Waits for the next job; false when there is none.
static bool take_job(DistWorkers *workers, uint64_t *number, Str *job) {
    DistNext step;
    str_clear(job);
    pthread_mutex_lock(&workers->lock);
    while ((step = begin_job(workers, number, job)) == DIST_NONE_YET)
        pthread_cond_wait(&workers->changed, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
    return step == DIST_JOB;
}

// One job of the pool: a worker until there are no more jobs.
static Status work_here(void *context, size_t index, int worker) {
    DistWorkers *workers = context;
    const DistService *service = workers->config.service;
    CLEANUP(str_free) Str job = {0};
    CLEANUP(str_free) Str answer = {0};
    uint64_t number;
    (void)index;
    while (take_job(workers, &number, &job)) {
        const int64_t start_ns = clock_now_ns();
        void *state = dist_service_worker(service, workers->config.self, workers->cancel_fd,
                                          &workers->states[worker]);
        str_clear(&answer);
        const Status status = service->answer(state, view_of(str_text(&job), job.length), &answer);
        pthread_mutex_lock(&workers->lock);
        workers->here_count++;
        workers->here_ns += clock_now_ns() - start_ns;
        finish_job(workers, number, 0, status, &answer);
        pthread_mutex_unlock(&workers->lock);
    }
    return OK;
}

// --- workers elsewhere ---

static bool next_remote(void *context, int slot, uint64_t *tag, Str *job) {
    DistWorkers *workers = context;
    (void)slot;
    pthread_mutex_lock(&workers->lock);
    const DistNext step = begin_job(workers, tag, job);
    pthread_mutex_unlock(&workers->lock);
    return step == DIST_JOB;
}

static void done_remote(void *context, int slot, uint64_t tag, Status status, StrView bytes) {
    DistWorkers *workers = context;
    CLEANUP(str_free) Str answer = {0};
    const int rank = dist_remote_rank_of(workers->remote, slot);
    str_append(&answer, bytes.text, bytes.length);
    if (status != OK)
        error_prefix("rank %d", rank);
    pthread_mutex_lock(&workers->lock);
    finish_job(workers, tag, rank, status, &answer);
    pthread_mutex_unlock(&workers->lock);
}

static size_t jobs_left(void *context) {
    DistWorkers *workers = context;
    pthread_mutex_lock(&workers->lock);
    const uint64_t left = workers->jobs->count - workers->started;
    pthread_mutex_unlock(&workers->lock);
    return left;
}

// Workers here end when there are no more jobs; then there are none elsewhere either.
static bool is_over(void *context) {
    const DistWorkers *workers = context;
    return !dist_pool_is_busy(workers->pool);
}

static void tick(DistWorkers *workers) {
    const int64_t now = clock_now_ns();
    if (workers->jobs->tick == NULL || now - workers->tick_ns < TICK_NS)
        return;
    workers->tick_ns = now;
    workers->jobs->tick(workers->jobs->context);
}

// Workers here see for themselves that they are cancelled, but perhaps none has a job.
static bool watch(void *context) {
    DistWorkers *workers = context;
    if (cancel_is_requested(workers->cancel_fd)) {
        pthread_mutex_lock(&workers->lock);
        dist_workers_stop(workers);
        pthread_cond_broadcast(&workers->changed);
        pthread_mutex_unlock(&workers->lock);
        dist_remote_cancel(workers->remote);
    }
    tick(workers);
    return false;
}

static void run_with_ranks(DistWorkers *workers, size_t threads) {
    const DistWork work = {.context = workers,
                           .next = next_remote,
                           .done = done_remote,
                           .is_over = is_over,
                           .left = workers->jobs->count == DIST_COUNT_UNKNOWN ? NULL : jobs_left,
                           .here = watch,
                           .local_slots = (int)threads};
    dist_remote_run(workers->remote, &work);
    dist_remote_count(workers->remote, workers->here_count, workers->here_ns);
}

Status dist_workers_run(DistWorkers *workers, const DistJobs *jobs) {
    size_t threads = (size_t)dist_pool_threads(workers->pool);
    threads = jobs->count < threads ? jobs->count : threads;
    workers->jobs = jobs;
    workers->started = workers->delivered = 0;
    workers->here_count = 0;
    workers->here_ns = 0;
    dist_pool_start(workers->pool, threads, work_here, workers);
    if (workers->remote != NULL)
        run_with_ranks(workers, threads);
    while (jobs->tick != NULL && dist_pool_wait(workers->pool, TICK_NS))
        tick(workers);
    (void)!dist_pool_finish(workers->pool);
    finish_rest(workers);
    return dist_failure_status(&workers->failure);
}
