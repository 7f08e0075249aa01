// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/serve.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/mem.h"
#include "base/supplied.h"
#include "dist/patience.h"
#include "dist/post.h"
#include "dist/protocol.h"

#include <limits.h>
#include <stdlib.h>

enum { EAGER_NS = 5000000 }; // after work: rank 0 breeds the next generation meanwhile

// One thing that is open here.
typedef struct Team {
    bool is_there;
    uint32_t number;
    const DistService *service;
    void *self;
    DistPool *pool;
    int cancel_fd;
    Post *posts; // one for each thread that is asked apart; NULL where the rank is asked as a whole
    int post_count;
} Team;

typedef struct Server {
    DistWorld *world;
    const DistService *const *services;
    size_t service_count;
    Team teams[DIST_TEAMS_MAX];
    bool is_over;
} Server;

static Team *find_team(Server *server, uint32_t number) {
    for (int i = 0; i < DIST_TEAMS_MAX; i++)
        if (server->teams[i].is_there && server->teams[i].number == number)
            return &server->teams[i];
    return NULL;
}

static Team *free_place(Server *server) {
    for (int i = 0; i < DIST_TEAMS_MAX; i++)
        if (!server->teams[i].is_there)
            return &server->teams[i];
    return NULL;
}

// Who can be asked apart.
static int team_workers(const Team *team) {
    return team->posts == NULL ? 1 : team->post_count;
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
               ? error_set(ERR_PARSE, "what rank 0 sent is no opening")
               : status;
}

static const DistService *find_service(const Server *server, StrView name) {
    for (size_t i = 0; i < server->service_count; i++)
        if (view_equals(name, server->services[i]->name))
            return server->services[i];
    return NULL;
}

// Reads `bytes`, and frees them before the service takes memory of its own.
static Status open_team(const Server *server, Team *team, ByteReader *in, Str *bytes,
                        uint64_t *fingerprint) {
    const StrView name = bytes_text(in);
    const uint32_t threads = bytes_u32(in);
    const StrView text = bytes_text(in);
    Str context = {0};
    if (in->failed || threads > INT_MAX)
        return error_set(ERR_PARSE, "what rank 0 sent is no opening");
    team->service = find_service(server, name);
    if (team->service == NULL)
        return error_set(ERR_ARG, "there is no service '%.*s' here", (int)name.length, name.text);
    team->pool = dist_pool_new(threads > 0 ? (int)threads : dist_cores());
    Status status = cancel_open(&team->cancel_fd);
    if (status == OK)
        status = take_files(in);
    str_append(&context, text.text, text.length);
    str_free(bytes);
    // What is not among these files does not exist, even if there are none.
    if (status == OK)
        status = supplied_add("", view_of("", 0));
    if (status == OK)
        status = team->service->open(&team->self, view_of(str_text(&context), context.length),
                                     team->pool, team->cancel_fd, fingerprint);
    supplied_clear();
    str_free(&context);
    if (status == OK && !team->service->by_rank) {
        team->post_count = dist_pool_threads(team->pool);
        team->posts = posts_new(team->service, team->self, team->post_count);
    }
    return status;
}

static void answer_opening(Server *server) {
    Str bytes = {0}, reply = {0};
    server->world->spread(server->world->self, &bytes);
    ByteReader in = {view_of(str_text(&bytes), bytes.length), false};
    uint64_t fingerprint = 0;
    const uint32_t number = bytes_u32(&in);
    Team *team = free_place(server);
    Status status = error_set(ERR_LIMIT, "%d things are open already", DIST_TEAMS_MAX);
    if (team != NULL) {
        *team = (Team){.is_there = true, .number = number, .cancel_fd = -1};
        status = open_team(server, team, &in, &bytes, &fingerprint);
    }
    const int workers = team == NULL ? 1 : team_workers(team);
    bytes_add_u8(&reply, DIST_OPENED);
    bytes_add_u32(&reply, number);
    bytes_add_u8(&reply, (uint8_t)status);
    bytes_add_text(&reply, view_from_string(status == OK ? "" : error_message()));
    bytes_add_u32(&reply, (uint32_t)workers);
    bytes_add_u64(&reply, fingerprint);
    server->world->send(server->world->self, 0, &reply);
    str_free(&bytes);
}

static void close_team(Team *team) {
    posts_settle(team->posts, team->post_count);
    if (team->self != NULL)
        team->service->close(team->self);
    posts_free(team->posts, team->post_count);
    dist_pool_free(team->pool);
    cancel_close(team->cancel_fd);
    *team = (Team){0};
}

// --- work ---

static void begin_reply(const Team *team, int worker, Str *out) {
    bytes_add_u8(out, DIST_DONE);
    bytes_add_u32(out, team->number);
    bytes_add_u32(out, (uint32_t)worker);
}

static void take_work(Server *server, ByteReader *in) {
    Team *team = find_team(server, bytes_u32(in));
    const uint32_t worker = bytes_u32(in);
    if (team == NULL)
        return;
    const bool is_here = !in->failed && worker < (uint32_t)team_workers(team);
    if (is_here && team->posts != NULL) {
        post_give(&team->posts[worker], in->rest);
        return;
    }
    // An answer from a worker that is not there is a failure to rank 0.
    Str reply = {0};
    begin_reply(team, (int)worker, &reply);
    if (is_here)
        post_answer(team->service, team->self, 0, in->rest, &reply);
    server->world->send(server->world->self, 0, &reply);
}

// Sends what threads have finished; whether there was anything.
static bool send_finished(Server *server) {
    bool any = false;
    for (int i = 0; i < DIST_TEAMS_MAX; i++) {
        Team *team = &server->teams[i];
        for (int worker = 0; worker < team->post_count && team->is_there; worker++) {
            Str reply = {0};
            begin_reply(team, worker, &reply);
            if (!post_take(&team->posts[worker], &reply)) {
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
    Team *team;
    switch ((DistMessage)bytes_u8(&in)) {
    case DIST_OPEN:
        answer_opening(server);
        break;
    case DIST_WORK:
        take_work(server, &in);
        break;
    case DIST_CANCEL:
        team = find_team(server, bytes_u32(&in));
        if (team != NULL)
            cancel_tell(team->cancel_fd);
        break;
    case DIST_CLOSE:
        team = find_team(server, bytes_u32(&in));
        if (team != NULL)
            close_team(team);
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
    Patience patience = {.eager_ns = EAGER_NS};
    Str message = {0};
    int from;
    *server = (Server){.world = world, .services = services, .service_count = count};
    patience_sharpen();
    while (!server->is_over) {
        const bool is_told = world->receive(world->self, &from, &message);
        if (is_told)
            handle(server, view_of(str_text(&message), message.length));
        const bool has_sent = send_finished(server);
        if (is_told || has_sent)
            patience_end(&patience);
        else
            patience_rest(&patience);
    }
    for (int i = 0; i < DIST_TEAMS_MAX; i++)
        if (server->teams[i].is_there)
            close_team(&server->teams[i]);
    str_free(&message);
    free(server);
}
