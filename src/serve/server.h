// SPDX-License-Identifier: GPL-3.0-or-later
// The server as its routes see it.
#pragma once

#include "serve/access.h"
#include "serve/catalog.h"
#include "serve/engine_list.h"
#include "serve/engine_pool.h"
#include "serve/error_view.h"
#include "serve/starter.h"
#include "serve/thinker.h"

typedef struct Server {
    Access access;
    Catalog catalog;
    Thinkers thinkers;
    EngineList engines;
    EnginePool pool;
    pthread_mutex_t fitting; // of tunings' models: one at a time
    Starter starter;
    bool is_read_only; // nothing is changed for a page
    ErrorView errors;
} Server;

// What answers an address. Those that change or compute something are asked by POST.
typedef void ServerAnswer(Server *server, const HttpRequest *request, HttpReply *reply);
typedef struct ServerRoute {
    HttpMethod method;
    const char *path;
    ServerAnswer *answer;
} ServerRoute;

// Answers a request that was admitted.
void server_answer(void *context, const HttpRequest *request, HttpReply *reply);
