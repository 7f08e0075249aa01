// SPDX-License-Identifier: GPL-3.0-or-later
// An HTTP server on this machine's loopback address alone: libmicrohttpd behind a small face, with
// limits on connections, sizes and time. Each connection has a thread, so that handlers may block.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    HTTP_CONNECTIONS_MAX = 200,
    HTTP_BODY_MAX = 1 << 16,
    HTTP_HEADERS_MAX = 1 << 15,
    HTTP_WAIT_S = 15, // for a request to arrive whole, and for the next one on a connection
};

typedef struct HttpServer HttpServer;

typedef enum HttpMethod { HTTP_GET, HTTP_POST, HTTP_OTHER } HttpMethod;

// Texts are borrowed while the request is handled.
typedef struct HttpRequest {
    HttpMethod method;
    const char *path; // decoded, without the query
    StrView body;     // of a POST
    void *connection; // for the functions below
} HttpRequest;

// NULL where there is none. Of several the first.
const char *http_query(const HttpRequest *request, const char *name);
const char *http_header(const HttpRequest *request, const char *name);
const char *http_cookie(const HttpRequest *request, const char *name);
// How many headers have that name.
size_t http_header_count(const HttpRequest *request, const char *name);

// A body that goes on. `read` may wait; 0 says that it is over. `close` is called once.
typedef struct HttpStream {
    void *context;
    size_t (*read)(void *context, char *buffer, size_t size);
    void (*close)(void *context);
} HttpStream;

typedef struct HttpHeader {
    const char *name, *value;
} HttpHeader;

typedef struct HttpReply {
    unsigned status;  // 200 unless set
    const char *type; // of the contents
    Str body;         // or, where `fixed` has a text, that: it must outlive the server
    StrView fixed;
    Str cookie;         // a Set-Cookie, or ""
    Str disposition;    // a Content-Disposition, or ""
    bool may_be_kept;   // by the browser, if it asks whether it is still the same; else never
    uint64_t news;      // how far the news had come before this was made; 0: not told
    HttpStream *stream; // in place of the body; its memory belongs to `close`
    const HttpHeader *headers; // in place of the server's; NULL: those
} HttpReply;

void http_reply_free(HttpReply *reply);
// A status with a line of plain text.
[[gnu::format(printf, 3, 4)]] void http_refuse(HttpReply *reply, unsigned status,
                                               const char *format, ...);

typedef struct HttpConfig {
    unsigned port; // 0: any that is free
    void *context;
    // Called with the headers, before a body is read: false with a reply refuses the request.
    bool (*admit)(void *context, const HttpRequest *request, HttpReply *reply);
    void (*handle)(void *context, const HttpRequest *request, HttpReply *reply);
    const HttpHeader *headers; // of all replies; the last has no name
} HttpConfig;

// Listens, but does not answer yet; the configuration's pointers must outlive the server.
MUST_CHECK Status http_open(HttpServer **out, const HttpConfig *config);
// The port it listens to.
unsigned http_port(const HttpServer *server);
// Starts to answer.
MUST_CHECK Status http_start(HttpServer *server);
// Ends connections that keep the server waiting; to be called every second or so.
void http_end_slow(HttpServer *server);
// Waits until no handler runs. Streams must end by themselves when this is called. NULL is fine.
void http_close(HttpServer *server);
CLEANUP_AT(HttpServer *, http_close)
