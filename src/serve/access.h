// SPDX-License-Identifier: GPL-3.0-or-later
// Who may ask the server for what. Everything needs a cookie, which the address with the token
// gives; what changes or computes something needs the token in a header too, which no other site
// can send. A name that leads to this machine from elsewhere (rebinding) is not taken for it.
#pragma once

#include "serve/http.h"

enum { ACCESS_SECRET_SIZE = 33 }; // 32 hexadecimal digits

typedef struct Access {
    char token[ACCESS_SECRET_SIZE];  // of the address, and of the header
    char cookie[ACCESS_SECRET_SIZE]; // what the cookie holds
    char cookie_name[32];            // has the port, for browsers share cookies among ports
    unsigned port;
} Access;

// The headers of all replies; the last has no name.
extern const HttpHeader access_headers[];
// Those of a report, a page that lies in a folder: its own style is allowed, but no script and no
// request, wherever it is opened, and a page of ours may frame it.
extern const HttpHeader access_report_headers[];

// Draws the secrets.
MUST_CHECK Status access_init(Access *access);
// To be told before the first request.
void access_set_port(Access *access, unsigned port);

// Whether a Host header names this server: a loopback name with its port.
bool access_host_is_ours(const Access *access, const char *host);
// Whether an Origin header is that of our own pages.
bool access_origin_is_ours(const Access *access, const char *origin);
// Whether a text is the secret; takes the same time wherever they differ.
bool access_is_secret(const char *secret, const char *text);

// True where a request may be answered; else the reply says why not. The address with the token is
// answered here too: with the cookie, and a page that leads on.
bool access_admit(const Access *access, const HttpRequest *request, HttpReply *reply);
