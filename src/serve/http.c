// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that knows libmicrohttpd.
#include "serve/http.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INACTIVE_S = 60, STREAM_BLOCK = 1 << 14 };

// A connection; and since when its client has been expected to send something, 0 while it is not.
typedef struct Link {
    int socket;
    int64_t awaited_ns;
    struct Link *next, *previous;
} Link;

struct HttpServer {
    HttpConfig config;
    int socket; // listens
    unsigned port;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; // of the list
    Link *links;
};

// A request that is being received.
typedef struct Exchange {
    Str body;
    bool is_too_large;
} Exchange;

// --- what a request says ---

const char *http_query(const HttpRequest *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *http_header(const HttpRequest *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *http_cookie(const HttpRequest *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND, name);
}

typedef struct NameCount {
    const char *name;
    size_t count;
} NameCount;

static enum MHD_Result count_name(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    (void)value;
    NameCount *wanted = context;
    wanted->count += strcasecmp(name, wanted->name) == 0;
    return MHD_YES;
}

size_t http_header_count(const HttpRequest *request, const char *name) {
    NameCount wanted = {name, 0};
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count_name, &wanted);
    return wanted.count;
}

// --- replies ---

void http_reply_free(HttpReply *reply) {
    str_free(&reply->body);
    str_free(&reply->cookie);
    str_free(&reply->disposition);
}

void http_refuse(HttpReply *reply, unsigned status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    reply->status = status;
    reply->type = "text/plain; charset=utf-8";
    str_clear(&reply->body);
    str_addv(&reply->body, format, args);
    str_add(&reply->body, "\n");
    va_end(args);
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t size) {
    (void)position;
    HttpStream *stream = context;
    const size_t got = stream->read(stream->context, buffer, size);
    return got == 0 ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)got;
}

static void close_stream(void *context) {
    HttpStream *stream = context;
    stream->close(stream->context);
}

static struct MHD_Response *make_response(const HttpReply *reply) {
    if (reply->stream != NULL)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream,
                                                 reply->stream, close_stream);
    if (reply->fixed.text != NULL)
        return MHD_create_response_from_buffer(reply->fixed.length, (void *)reply->fixed.text,
                                               MHD_RESPMEM_PERSISTENT);
    return MHD_create_response_from_buffer(reply->body.length, (void *)str_text(&reply->body),
                                           MHD_RESPMEM_MUST_COPY);
}

static void add_header(struct MHD_Response *response, const char *name, const char *value) {
    if (value != NULL && value[0] != '\0')
        MHD_add_response_header(response, name, value);
}

static enum MHD_Result send_reply(const HttpServer *server, struct MHD_Connection *connection,
                                  const HttpReply *reply) {
    struct MHD_Response *response = make_response(reply);
    if (response == NULL)
        return MHD_NO;
    const HttpHeader *header = reply->headers != NULL ? reply->headers : server->config.headers;
    for (; header->name != NULL; header++)
        add_header(response, header->name, header->value);
    add_header(response, "Content-Type", reply->type);
    add_header(response, "Set-Cookie", str_text(&reply->cookie));
    add_header(response, "Content-Disposition", str_text(&reply->disposition));
    if (reply->news > 0) {
        char news[24];
        snprintf(news, sizeof news, "%" PRIu64, reply->news);
        add_header(response, "X-Falconer-News", news);
    }
    add_header(response, "Cache-Control", reply->may_be_kept ? "no-cache" : "no-store");
    const enum MHD_Result result =
        MHD_queue_response(connection, reply->status == 0 ? 200 : reply->status, response);
    MHD_destroy_response(response);
    return result;
}

// --- connections, and how long their clients take ---

static void set_awaited(HttpServer *server, Link *link, bool is_awaited) {
    pthread_mutex_lock(&server->lock);
    link->awaited_ns = is_awaited ? clock_now_ns() : 0;
    pthread_mutex_unlock(&server->lock);
}

static Link *link_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

static Link *link_open(HttpServer *server, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    Link *link = mem_alloc_zero(1, sizeof *link);
    link->socket = info == NULL ? -1 : info->connect_fd;
    link->awaited_ns = clock_now_ns();
    pthread_mutex_lock(&server->lock);
    link->next = server->links;
    if (link->next != NULL)
        link->next->previous = link;
    server->links = link;
    pthread_mutex_unlock(&server->lock);
    return link;
}

static void link_close(HttpServer *server, Link *link) {
    pthread_mutex_lock(&server->lock);
    if (link->next != NULL)
        link->next->previous = link->previous;
    if (link->previous != NULL)
        link->previous->next = link->next;
    else
        server->links = link->next;
    pthread_mutex_unlock(&server->lock);
    free(link);
}

static void on_connection(void *context, struct MHD_Connection *connection, void **link,
                          enum MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *link = link_open(context, connection);
    else if (*link != NULL)
        link_close(context, TAKE(*link));
}

// The library's own limit is on pauses: who sends a byte now and then would never meet it.
void http_end_slow(HttpServer *server) {
    const int64_t now = clock_now_ns();
    pthread_mutex_lock(&server->lock);
    for (const Link *link = server->links; link != NULL; link = link->next)
        if (link->awaited_ns != 0 && now - link->awaited_ns > HTTP_WAIT_S * INT64_C(1000000000))
            shutdown(link->socket, SHUT_RDWR);
    pthread_mutex_unlock(&server->lock);
}

// --- requests ---

static HttpMethod method_of(const char *name) {
    if (strcmp(name, MHD_HTTP_METHOD_GET) == 0 || strcmp(name, MHD_HTTP_METHOD_HEAD) == 0)
        return HTTP_GET;
    return strcmp(name, MHD_HTTP_METHOD_POST) == 0 ? HTTP_POST : HTTP_OTHER;
}

// The headers are there: true with an exchange to go on with, else with a reply.
static bool begin(const HttpServer *server, const HttpRequest *request, HttpReply *reply) {
    if (request->method == HTTP_OTHER) {
        http_refuse(reply, 405, "This server knows GET, HEAD and POST.");
        return false;
    }
    return server->config.admit(server->config.context, request, reply);
}

static void take_body(Exchange *exchange, const char *data, size_t size) {
    exchange->is_too_large = exchange->is_too_large || exchange->body.length + size > HTTP_BODY_MAX;
    if (!exchange->is_too_large)
        str_append(&exchange->body, data, size);
}

static void answer(const HttpServer *server, const Exchange *exchange, HttpRequest *request,
                   HttpReply *reply) {
    request->body = view_of(str_text(&exchange->body), exchange->body.length);
    if (exchange->is_too_large)
        http_refuse(reply, 413, "More than %d bytes.", HTTP_BODY_MAX);
    else
        server->config.handle(server->config.context, request, reply);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *data, size_t *size, void **state) {
    (void)version;
    HttpServer *server = context;
    Exchange *exchange = *state;
    HttpRequest request = {.method = method_of(method), .path = path, .connection = connection};
    CLEANUP(http_reply_free) HttpReply reply = {0};
    if (exchange == NULL) {
        *state = mem_alloc_zero(1, sizeof *exchange);
        if (begin(server, &request, &reply))
            return MHD_YES;
    } else if (*size > 0) {
        take_body(exchange, data, *size);
        *size = 0;
        return MHD_YES;
    } else {
        Link *link = link_of(connection);
        if (link != NULL)
            set_awaited(server, link, false);
        answer(server, exchange, &request, &reply);
    }
    return send_reply(server, connection, &reply);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code) {
    (void)code;
    Exchange *exchange = *state;
    Link *link = link_of(connection);
    if (link != NULL)
        set_awaited(context, link, true);
    if (exchange != NULL)
        str_free(&exchange->body);
    free(exchange);
    *state = NULL;
}

// A NUL would end the text before its end: what has one stays as it is, and names nothing.
static size_t unescape(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strstr(text, "%00") == NULL ? MHD_http_unescape(text) : strlen(text);
}

// --- the server ---

static Status listen_on(HttpServer *server, unsigned port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int yes = 1;
    server->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->socket < 0 ||
        setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(server->socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server->socket, SOMAXCONN) != 0 ||
        getsockname(server->socket, (struct sockaddr *)&address, &size) != 0)
        return error_set(ERR_IO, "cannot listen to port %u of this machine: %s", port,
                         strerror(errno));
    server->port = ntohs(address.sin_port);
    return OK;
}

Status http_open(HttpServer **out, const HttpConfig *config) {
    CLEANUP(http_close_at) HttpServer *server = mem_alloc_zero(1, sizeof *server);
    server->config = *config;
    pthread_mutex_init(&server->lock, NULL);
    TRY(listen_on(server, config->port));
    *out = TAKE(server);
    return OK;
}

unsigned http_port(const HttpServer *server) {
    return server->port;
}

Status http_start(HttpServer *server) {
    const unsigned flags =
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL;
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, server, MHD_OPTION_LISTEN_SOCKET, server->socket,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)INACTIVE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_HEADERS_MAX,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
        NULL, MHD_OPTION_END);
    if (server->daemon == NULL)
        return error_set(ERR_IO, "the server does not start: %s", strerror(errno));
    return OK;
}

void http_close(HttpServer *server) {
    if (server == NULL)
        return;
    // The library closes the socket that it was given.
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    else if (server->socket >= 0)
        close(server->socket);
    pthread_mutex_destroy(&server->lock);
    free(server);
}
