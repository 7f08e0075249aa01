// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

// clang-format off
#define ALWAYS                                                                                     \
    {"X-Content-Type-Options", "nosniff"},                                                         \
    {"Referrer-Policy", "no-referrer"},                                                            \
    {"Cross-Origin-Opener-Policy", "same-origin"},                                                 \
    {"Cross-Origin-Resource-Policy", "same-origin"},                                               \
    {NULL, NULL}
// clang-format on

const HttpHeader access_headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"X-Frame-Options", "DENY"},
    ALWAYS,
};

const HttpHeader access_report_headers[] = {
    {"Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; "
                                "img-src data:; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'self'"},
    {"X-Frame-Options", "SAMEORIGIN"},
    ALWAYS,
};

static Status draw_secret(char out[ACCESS_SECRET_SIZE]) {
    unsigned char bytes[(ACCESS_SECRET_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return error_set(ERR_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return OK;
}

Status access_init(Access *access) {
    *access = (Access){0};
    TRY(draw_secret(access->token));
    return draw_secret(access->cookie);
}

void access_set_port(Access *access, unsigned port) {
    access->port = port;
    snprintf(access->cookie_name, sizeof access->cookie_name, "falconer-%u", port);
}

bool access_host_is_ours(const Access *access, const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char ours[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(ours, sizeof ours, "%s:%u", names[i], access->port);
        if (strcmp(host, ours) == 0)
            return true;
    }
    return false;
}

bool access_origin_is_ours(const Access *access, const char *origin) {
    static const char scheme[] = "http://";
    const size_t length = sizeof scheme - 1;
    return strncmp(origin, scheme, length) == 0 && access_host_is_ours(access, origin + length);
}

bool access_is_secret(const char *secret, const char *text) {
    if (text == NULL || strlen(text) != ACCESS_SECRET_SIZE - 1)
        return false;
    unsigned char difference = 0;
    for (size_t i = 0; i < ACCESS_SECRET_SIZE - 1; i++)
        difference |= (unsigned char)(secret[i] ^ text[i]);
    return difference == 0;
}

// A redirection would not do: reached from another site's link, the browser would keep the strict
// cookie back. A page of ours that leads on is our own site.
static void let_in(const Access *access, HttpReply *reply) {
    reply->type = "text/html; charset=utf-8";
    str_setf(&reply->cookie, "%s=%s; Path=/; SameSite=Strict; HttpOnly", access->cookie_name,
             access->cookie);
    str_add(&reply->body, "<!doctype html><html lang=en><meta charset=utf-8><title>Falconer</title>"
                          "<link rel=icon href=\"data:,\">"
                          "<meta http-equiv=refresh content=\"0;url=/\"><a href=\"/\">Falconer</a>"
                          "</html>\n");
}

bool access_admit(const Access *access, const HttpRequest *request, HttpReply *reply) {
    const char *host = http_header(request, "Host"), *origin = http_header(request, "Origin");
    if (http_header_count(request, "Host") != 1 || !access_host_is_ours(access, host)) {
        http_refuse(reply, 403, "This server answers to its own address alone.");
        return false;
    }
    if (origin != NULL && !access_origin_is_ours(access, origin)) {
        http_refuse(reply, 403, "This server answers to its own pages alone.");
        return false;
    }
    const bool is_get = request->method == HTTP_GET;
    if (is_get && strcmp(request->path, "/") == 0 &&
        access_is_secret(access->token, http_query(request, "token"))) {
        let_in(access, reply);
        return false;
    }
    if (!access_is_secret(access->cookie, http_cookie(request, access->cookie_name))) {
        http_refuse(reply, 401, "Open the address that falconer serve printed when it started.");
        return false;
    }
    if (!is_get && !access_is_secret(access->token, http_header(request, "X-Falconer-Token"))) {
        http_refuse(reply, 403, "The header with the token is missing or wrong.");
        return false;
    }
    return true;
}
