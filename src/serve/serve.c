// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/serve.h"

#include "chess/position.h"
#include "serve/server.h"

#include <poll.h>
#include <unistd.h>

enum { TICK_MS = 1000 };

static bool admit(void *context, const HttpRequest *request, HttpReply *reply) {
    return access_admit(&((Server *)context)->access, request, reply);
}

static bool has_listeners(Catalog *catalog) {
    pthread_mutex_lock(&catalog->lock);
    const bool has = catalog->listeners > 0;
    pthread_mutex_unlock(&catalog->lock);
    return has;
}

// Looks for news while somebody wants to hear of them.
static void wait_for_end(Server *server, HttpServer *http, int cancel_fd) {
    struct pollfd wanted = {.fd = cancel_fd, .events = POLLIN};
    while (poll(&wanted, 1, TICK_MS) <= 0) {
        http_end_slow(http);
        engine_pool_end_idle(&server->pool);
        starter_reap(&server->starter);
        if (has_listeners(&server->catalog))
            catalog_refresh(&server->catalog);
    }
}

static Status run(Server *server, const ServeConfig *config) {
    CLEANUP(http_close_at) HttpServer *http = NULL;
    const HttpConfig settings = {.port = config->port,
                                 .context = server,
                                 .admit = admit,
                                 .handle = server_answer,
                                 .headers = access_headers};
    CLEANUP(str_free) Str address = {0};
    TRY(access_init(&server->access));
    TRY(http_open(&http, &settings));
    access_set_port(&server->access, http_port(http));
    TRY(http_start(http));
    str_addf(&address, "http://127.0.0.1:%u/?token=%s", server->access.port, server->access.token);
    config->tell(config->context, str_text(&address));
    wait_for_end(server, http, config->cancel_fd);
    atomic_store(&server->thinkers.is_ended, true);
    catalog_end(&server->catalog);
    return OK;
}

// The list that was named, or the user's own where there is one.
static Status read_engines(EngineList *list, const char *named) {
    CLEANUP(str_free) Str own = {0};
    if (named != NULL)
        return engine_list_read(list, named);
    engine_list_default_path(&own);
    return own.length > 0 && access(own.text, F_OK) == 0 ? engine_list_read(list, own.text) : OK;
}

Status serve_run(const ServeConfig *config) {
    Server server = {.is_read_only = config->is_read_only};
    chess_init();
    thinkers_open(&server.thinkers);
    error_view_open(&server.errors);
    engine_pool_open(&server.pool, config->cancel_fd);
    pthread_mutex_init(&server.fitting, NULL);
    Status status = catalog_open(&server.catalog, config->folders, config->folder_count);
    if (status == OK)
        status = read_engines(&server.engines, config->engines);
    if (status == OK) {
        starter_open(&server.starter, server.catalog.folders[0]);
        status = run(&server, config);
        starter_close(&server.starter);
    }
    catalog_close(&server.catalog);
    error_view_close(&server.errors);
    engine_pool_close(&server.pool);
    engine_list_free(&server.engines);
    pthread_mutex_destroy(&server.fitting);
    thinkers_close(&server.thinkers);
    return status;
}
