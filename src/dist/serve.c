// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks above 0: they wait for rank 0, and answer it.
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/supplied.h"
#include "dist/backoff.h"
#include "dist/protocol.h"
#include "dist/service.h"

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum { EAGER_NS = 5000000 }; // after work: rank 0 breeds the next generation meanwhile

typedef enum MailboxState {
    MAILBOX_EMPTY,
    MAILBOX_GIVEN, // jobs are in it, and being done
    MAILBOX_DONE,  // answers are in it
    MAILBOX_CLOSING,
} MailboxState;

// A worker and its mailbox: the thread that receives messages puts jobs in and takes answers out.
typedef struct Mailbox {
    const struct OpenService *open;
    void *worker;    // the service's; NULL before the first job
    bool has_thread; // else the receiving thread does the jobs
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // Guarded by the lock.
    MailboxState state;
    Str jobs, answers;
} Mailbox;

typedef struct OpenService {
    bool is_there;
    uint32_t number;
    const DistService *service;
    void *self;
    DistPool *pool;
    int cancel_fd;
    Mailbox *mailboxes; // one for each worker
    int worker_count;
} OpenService;

typedef struct Server {
    DistWorld *world;
    const DistService *const *services;
    size_t service_count;
    OpenService open[DIST_REMOTES_MAX];
    bool is_over;
} Server;

static OpenService *find_open(Server *server, uint32_t number) {
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (server->open[i].is_there && server->open[i].number == number)
            return &server->open[i];
    return NULL;
}

static OpenService *free_place(Server *server) {
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (!server->open[i].is_there)
            return &server->open[i];
    return NULL;
}

// --- mailboxes ---

// Does jobs as DIST_WORK has them, and appends what DIST_DONE has of them.
static void answer_jobs(Mailbox *mailbox, StrView jobs, Str *out) {
    const OpenService *open = mailbox->open;
    ByteReader in = {jobs, false};
    CLEANUP(str_free) Str answers = {0};
    CLEANUP(str_free) Str one = {0};
    const int64_t start_ns = clock_now_ns();
    const uint32_t count = bytes_u32(&in);
    void *worker =
        dist_service_worker(open->service, open->self, open->cancel_fd, &mailbox->worker);
    for (uint32_t i = 0; i < count; i++) {
        const StrView job = bytes_text(&in);
        // Rank 0 misses the rest.
        if (in.failed)
            break;
        str_clear(&one);
        const Status status = open->service->answer(worker, job, &one);
        const StrView text = view_of(str_text(&one), one.length);
        bytes_add_u8(&answers, (uint8_t)status);
        bytes_add_text(&answers, status == OK ? text : view_from_string(error_message()));
    }
    bytes_add_u64(out, (uint64_t)(clock_now_ns() - start_ns));
    str_append(out, str_text(&answers), answers.length);
}

static void *work(void *argument) {
    Mailbox *mailbox = argument;
    pthread_mutex_lock(&mailbox->lock);
    while (mailbox->state != MAILBOX_CLOSING) {
        if (mailbox->state != MAILBOX_GIVEN) {
            pthread_cond_wait(&mailbox->changed, &mailbox->lock);
            continue;
        }
        // Nobody else touches the jobs and the answers in this state.
        pthread_mutex_unlock(&mailbox->lock);
        answer_jobs(mailbox, view_of(str_text(&mailbox->jobs), mailbox->jobs.length),
                    &mailbox->answers);
        pthread_mutex_lock(&mailbox->lock);
        assert(mailbox->state == MAILBOX_GIVEN);
        mailbox->state = MAILBOX_DONE;
        pthread_cond_broadcast(&mailbox->changed);
    }
    pthread_mutex_unlock(&mailbox->lock);
    dist_service_end(mailbox->open->service, mailbox->worker);
    return NULL;
}

static void open_mailboxes(OpenService *open) {
    open->mailboxes = mem_alloc_zero((size_t)open->worker_count, sizeof *open->mailboxes);
    for (int i = 0; i < open->worker_count; i++) {
        Mailbox *mailbox = &open->mailboxes[i];
        mailbox->open = open;
        pthread_mutex_init(&mailbox->lock, NULL);
        pthread_cond_init(&mailbox->changed, NULL);
        // A rank that is asked as a whole has its other threads in the pool.
        mailbox->has_thread =
            !open->service->by_rank && pthread_create(&mailbox->thread, NULL, work, mailbox) == 0;
    }
}

// Lets a worker finish what it has, and ends it.
static void close_mailbox(Mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->lock);
    while (mailbox->state == MAILBOX_GIVEN)
        pthread_cond_wait(&mailbox->changed, &mailbox->lock);
    mailbox->state = MAILBOX_CLOSING;
    pthread_cond_broadcast(&mailbox->changed);
    pthread_mutex_unlock(&mailbox->lock);
    if (mailbox->has_thread)
        pthread_join(mailbox->thread, NULL);
    else
        dist_service_end(mailbox->open->service, mailbox->worker);
    pthread_cond_destroy(&mailbox->changed);
    pthread_mutex_destroy(&mailbox->lock);
    str_free(&mailbox->jobs);
    str_free(&mailbox->answers);
}

static void put_jobs(Mailbox *mailbox, StrView jobs) {
    if (!mailbox->has_thread) {
        answer_jobs(mailbox, jobs, &mailbox->answers);
        mailbox->state = MAILBOX_DONE;
        return;
    }
    pthread_mutex_lock(&mailbox->lock);
    str_clear(&mailbox->jobs);
    str_append(&mailbox->jobs, jobs.text, jobs.length);
    mailbox->state = MAILBOX_GIVEN;
    pthread_cond_broadcast(&mailbox->changed);
    pthread_mutex_unlock(&mailbox->lock);
}

static bool take_answers(Mailbox *mailbox, Str *out) {
    pthread_mutex_lock(&mailbox->lock);
    const bool is_done = mailbox->state == MAILBOX_DONE;
    if (is_done) {
        str_append(out, str_text(&mailbox->answers), mailbox->answers.length);
        str_clear(&mailbox->answers);
        mailbox->state = MAILBOX_EMPTY;
    }
    pthread_mutex_unlock(&mailbox->lock);
    return is_done;
}

// --- opening and closing ---

static Status fail_malformed(void) {
    return error_set(ERR_PARSE, "rank 0 sent a malformed message");
}

static Status take_files(ByteReader *in) {
    const uint64_t count = bytes_u64(in);
    for (uint64_t i = 0; i < count && !in->failed; i++) {
        const StrView path = bytes_text(in), bytes = bytes_text(in);
        CLEANUP(str_free) Str name = {0};
        str_append(&name, path.text, path.length);
        TRY(supplied_add(str_text(&name), bytes));
    }
    return bytes_are_done(in) ? OK : fail_malformed();
}

static const DistService *find_service(const Server *server, StrView name) {
    for (size_t i = 0; i < server->service_count; i++)
        if (view_equals(name, server->services[i]->name))
            return server->services[i];
    return NULL;
}

// Reads `bytes`, and frees them before the service takes memory of its own.
static Status open_service(const Server *server, OpenService *open, ByteReader *in, Str *bytes) {
    const StrView name = bytes_text(in);
    const uint32_t threads = bytes_u32(in);
    const StrView text = bytes_text(in);
    CLEANUP(str_free) Str context = {0};
    if (in->failed || threads > INT_MAX)
        return fail_malformed();
    const DistService *service = open->service = find_service(server, name);
    if (service == NULL)
        return error_set(ERR_ARG, "there is no service '%.*s' here", (int)name.length, name.text);
    open->pool = dist_pool_new(threads > 0 ? (int)threads : dist_cores());
    open->worker_count = service->by_rank ? 1 : dist_pool_threads(open->pool);
    TRY(cancel_open(&open->cancel_fd));
    TRY(take_files(in));
    str_append(&context, text.text, text.length);
    str_free(bytes);
    // What is not among these files does not exist, even if there are none.
    TRY(supplied_add("", view_of("", 0)));
    TRY(service->open(&open->self, view_of(str_text(&context), context.length), open->pool));
    open_mailboxes(open);
    return OK;
}

static void answer_opening(Server *server) {
    CLEANUP(str_free) Str bytes = {0};
    Str reply = {0};
    server->world->broadcast(server->world->self, &bytes);
    ByteReader in = {view_of(str_text(&bytes), bytes.length), false};
    uint64_t fingerprint = 0;
    const uint32_t number = bytes_u32(&in);
    OpenService *open = free_place(server);
    Status status = error_set(ERR_LIMIT, "%d services are open already", DIST_REMOTES_MAX);
    if (open != NULL) {
        *open =
            (OpenService){.is_there = true, .number = number, .cancel_fd = -1, .worker_count = 1};
        status = open_service(server, open, &in, &bytes);
        supplied_clear();
        if (status == OK && open->service->fingerprint != NULL)
            fingerprint = open->service->fingerprint(open->self);
    }
    bytes_add_u8(&reply, DIST_OPENED);
    bytes_add_u32(&reply, number);
    bytes_add_u8(&reply, (uint8_t)status);
    bytes_add_text(&reply, view_from_string(status == OK ? "" : error_message()));
    bytes_add_u32(&reply, open == NULL ? 1 : (uint32_t)open->worker_count);
    bytes_add_u64(&reply, fingerprint);
    server->world->send(server->world->self, 0, &reply);
}

static void close_service(OpenService *open) {
    for (int i = 0; i < open->worker_count && open->mailboxes != NULL; i++)
        close_mailbox(&open->mailboxes[i]);
    if (open->self != NULL)
        open->service->close(open->self);
    free(open->mailboxes);
    dist_pool_free(open->pool);
    cancel_close(open->cancel_fd);
    *open = (OpenService){0};
}

// --- messages ---

static void begin_reply(const OpenService *open, uint32_t worker, Str *out) {
    bytes_add_u8(out, DIST_DONE);
    bytes_add_u32(out, open->number);
    bytes_add_u32(out, worker);
}

static void take_work(Server *server, ByteReader *in) {
    const OpenService *open = find_open(server, bytes_u32(in));
    const uint32_t worker = bytes_u32(in);
    if (open == NULL)
        return;
    if (!in->failed && open->mailboxes != NULL && worker < (uint32_t)open->worker_count) {
        put_jobs(&open->mailboxes[worker], in->rest);
        return;
    }
    // An answer from a worker that is not there is a failure to rank 0.
    Str reply = {0};
    begin_reply(open, worker, &reply);
    server->world->send(server->world->self, 0, &reply);
}

// Sends what workers have finished; whether there was anything.
static bool send_finished(Server *server) {
    bool any = false;
    for (int i = 0; i < DIST_REMOTES_MAX; i++) {
        const OpenService *open = &server->open[i];
        for (int worker = 0; worker < open->worker_count && open->mailboxes != NULL; worker++) {
            Str reply = {0};
            begin_reply(open, (uint32_t)worker, &reply);
            if (take_answers(&open->mailboxes[worker], &reply)) {
                server->world->send(server->world->self, 0, &reply);
                any = true;
            }
            str_free(&reply);
        }
    }
    return any;
}

static void handle(Server *server, StrView message) {
    ByteReader in = {message, false};
    OpenService *open;
    switch ((DistMessage)bytes_u8(&in)) {
    case DIST_OPEN:
        answer_opening(server);
        break;
    case DIST_WORK:
        take_work(server, &in);
        break;
    case DIST_CANCEL:
        open = find_open(server, bytes_u32(&in));
        if (open != NULL)
            cancel_request(open->cancel_fd);
        break;
    case DIST_CLOSE:
        open = find_open(server, bytes_u32(&in));
        if (open != NULL)
            close_service(open);
        break;
    case DIST_LEAVE:
        server->is_over = true;
        break;
    default:
        break;
    }
}

void dist_serve(DistWorld *world, const DistService *const *services, size_t count) {
    CLEANUP(mem_free_at) Server *server = mem_alloc_zero(1, sizeof *server);
    CLEANUP(str_free) Str message = {0};
    Backoff backoff = {.eager_ns = EAGER_NS};
    int from;
    *server = (Server){.world = world, .services = services, .service_count = count};
    backoff_sharpen_timer();
    while (!server->is_over) {
        const bool is_told = world->receive(world->self, &from, &message);
        if (is_told)
            handle(server, view_of(str_text(&message), message.length));
        const bool has_sent = send_finished(server);
        if (is_told || has_sent)
            backoff_reset(&backoff);
        else
            backoff_wait(&backoff);
    }
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (server->open[i].is_there)
            close_service(&server->open[i]);
}
