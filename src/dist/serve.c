// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/serve.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/mem.h"
#include "base/supplied.h"
#include "dist/backoff.h"
#include "dist/post.h"
#include "dist/protocol.h"

#include <limits.h>
#include <stdlib.h>

enum { EAGER_NS = 5000000 }; // after work: rank 0 breeds the next generation meanwhile

// One thing that is open here.
typedef struct OpenService {
    bool is_there;
    uint32_t number;
    const DistService *service;
    void *self;
    DistPool *pool;
    int cancel_fd;
    Post *posts; // one for each thread that is asked apart; NULL where the rank is asked as a whole
    int post_count;
} OpenService;

typedef struct Server {
    DistWorld *world;
    const DistService *const *services;
    size_t service_count;
    OpenService services_open[DIST_REMOTES_MAX];
    bool is_over;
} Server;

static OpenService *find_open(Server *server, uint32_t number) {
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (server->services_open[i].is_there && server->services_open[i].number == number)
            return &server->services_open[i];
    return NULL;
}

static OpenService *free_place(Server *server) {
    for (int i = 0; i < DIST_REMOTES_MAX; i++)
        if (!server->services_open[i].is_there)
            return &server->services_open[i];
    return NULL;
}

// Who can be asked apart.
static int worker_count(const OpenService *open) {
    return open->posts == NULL ? 1 : open->post_count;
}

// --- opening and closing ---

static Status take_files(ByteReader *in) {
    Status status = OK;
    const uint64_t count = bytes_u64(in);
    for (uint64_t i = 0; i < count && status == OK && !in->failed; i++) {
        const StrView path = bytes_text(in), bytes = bytes_text(in);
        Str name = {0};
        str_append(&name, path.text, path.length);
        status = supplied_add(str_text(&name), bytes);
        str_free(&name);
    }
    return status == OK && !bytes_are_done(in)
               ? error_set(ERR_PARSE, "rank 0 sent a malformed message")
               : status;
}

static const DistService *find_service(const Server *server, StrView name) {
    for (size_t i = 0; i < server->service_count; i++)
        if (view_equals(name, server->services[i]->name))
            return server->services[i];
    return NULL;
}

// Reads `bytes`, and frees them before the service takes memory of its own.
static Status open_service(const Server *server, OpenService *open, ByteReader *in, Str *bytes,
                           uint64_t *fingerprint) {
    const StrView name = bytes_text(in);
    const uint32_t threads = bytes_u32(in);
    const StrView text = bytes_text(in);
    Str context = {0};
    if (in->failed || threads > INT_MAX)
        return error_set(ERR_PARSE, "rank 0 sent a malformed message");
    open->service = find_service(server, name);
    if (open->service == NULL)
        return error_set(ERR_ARG, "there is no service '%.*s' here", (int)name.length, name.text);
    open->pool = dist_pool_new(threads > 0 ? (int)threads : dist_cores());
    Status status = cancel_open(&open->cancel_fd);
    if (status == OK)
        status = take_files(in);
    str_append(&context, text.text, text.length);
    str_free(bytes);
    // What is not among these files does not exist, even if there are none.
    if (status == OK)
        status = supplied_add("", view_of("", 0));
    if (status == OK)
        status = open->service->open(&open->self, view_of(str_text(&context), context.length),
                                     open->pool, open->cancel_fd, fingerprint);
    supplied_clear();
    str_free(&context);
    if (status == OK && !open->service->by_rank) {
        open->post_count = dist_pool_threads(open->pool);
        open->posts = posts_new(open->service, open->self, open->post_count);
    }
    return status;
}

static void answer_opening(Server *server) {
    Str bytes = {0}, reply = {0};
    server->world->broadcast(server->world->self, &bytes);
    ByteReader in = {view_of(str_text(&bytes), bytes.length), false};
    uint64_t fingerprint = 0;
    const uint32_t number = bytes_u32(&in);
    OpenService *open = free_place(server);
    Status status = error_set(ERR_LIMIT, "%d services are open already", DIST_REMOTES_MAX);
    if (open != NULL) {
        *open = (OpenService){.is_there = true, .number = number, .cancel_fd = -1};
        status = open_service(server, open, &in, &bytes, &fingerprint);
    }
    const int workers = open == NULL ? 1 : worker_count(open);
    bytes_add_u8(&reply, DIST_OPENED);
    bytes_add_u32(&reply, number);
    bytes_add_u8(&reply, (uint8_t)status);
    bytes_add_text(&reply, view_from_string(status == OK ? "" : error_message()));
    bytes_add_u32(&reply, (uint32_t)workers);
    bytes_add_u64(&reply, fingerprint);
    server->world->send(server->world->self, 0, &reply);
    str_free(&bytes);
}

static void close_service(OpenService *open) {
    posts_settle(open->posts, open->post_count);
    if (open->self != NULL)
        open->service->close(open->self);
    posts_free(open->posts, open->post_count);
    dist_pool_free(open->pool);
    cancel_close(open->cancel_fd);
    *open = (OpenService){0};
}

// --- work ---

static void begin_reply(const OpenService *open, int worker, Str *out) {
    bytes_add_u8(out, DIST_DONE);
    bytes_add_u32(out, open->number);
    bytes_add_u32(out, (uint32_t)worker);
}

static void take_work(Server *server, ByteReader *in) {
    OpenService *open = find_open(server, bytes_u32(in));
    const uint32_t worker = bytes_u32(in);
    if (open == NULL)
        return;
    const bool is_here = !in->failed && worker < (uint32_t)worker_count(open);
    if (is_here && open->posts != NULL) {
        post_give(&open->posts[worker], in->rest);
        return;
    }
    // An answer from a worker that is not there is a failure to rank 0.
    Str reply = {0};
    begin_reply(open, (int)worker, &reply);
    if (is_here)
        post_answer(open->service, open->self, 0, in->rest, &reply);
    server->world->send(server->world->self, 0, &reply);
}

// Sends what threads have finished; whether there was anything.
static bool send_finished(Server *server) {
    bool any = false;
    for (int i = 0; i < DIST_REMOTES_MAX; i++) {
        OpenService *open = &server->services_open[i];
        for (int worker = 0; worker < open->post_count && open->is_there; worker++) {
            Str reply = {0};
            begin_reply(open, worker, &reply);
            if (!post_take(&open->posts[worker], &reply)) {
                str_free(&reply);
                continue;
            }
            server->world->send(server->world->self, 0, &reply);
            any = true;
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
            cancel_tell(open->cancel_fd);
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
    Server *server = mem_alloc_zero(1, sizeof *server);
    Backoff backoff = {.eager_ns = EAGER_NS};
    Str message = {0};
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
        if (server->services_open[i].is_there)
            close_service(&server->services_open[i]);
    str_free(&message);
    free(server);
}
