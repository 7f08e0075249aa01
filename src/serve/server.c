// SPDX-License-Identifier: GPL-3.0-or-later
// Which address is answered by what.
#include "serve/server.h"

#include "serve/answer.h"
#include "serve/web_files.h"

#include <string.h>

static const ServerRoute routes[] = {
    {HTTP_GET, "/api/session", answer_session},
    {HTTP_GET, "/api/events", answer_events},
    {HTTP_GET, "/api/home", answer_home},
    {HTTP_GET, "/api/run", answer_run},
    {HTTP_GET, "/api/genes", answer_genes},
    {HTTP_GET, "/api/population", answer_population},
    {HTTP_GET, "/api/lineage", answer_lineage},
    {HTTP_GET, "/api/reference", answer_reference},
    {HTTP_GET, "/api/organism", answer_organism},
    {HTTP_GET, "/api/organism.weights", answer_organism_file},
    {HTTP_GET, "/api/match", answer_match},
    {HTTP_GET, "/api/live", answer_live},
    {HTTP_GET, "/api/games", answer_games},
    {HTTP_GET, "/api/game", answer_game},
    {HTTP_GET, "/api/weights", answer_weights},
    {HTTP_POST, "/api/error", answer_error},
    {HTTP_POST, "/api/position", answer_position},
    {HTTP_POST, "/api/move", answer_move},
    {HTTP_POST, "/api/leave", answer_leave},
    {HTTP_POST, "/api/explain", answer_explain},
    {HTTP_POST, "/api/pgn", answer_pgn},
    {HTTP_GET, "/api/tuning", answer_tuning},
    {HTTP_GET, "/api/players", answer_players},
    {HTTP_GET, "/api/clone", answer_clone},
    {HTTP_POST, "/api/recognize", answer_recognize},
    {HTTP_GET, "/report", answer_report},
    {HTTP_GET, "/api/papers", answer_papers},
    {HTTP_GET, "/api/paper", answer_paper},
    {HTTP_GET, "/api/suite", answer_suite},
    {HTTP_GET, "/api/diagram.svg", answer_diagram},
    {HTTP_GET, "/api/presets", answer_presets},
    {HTTP_POST, "/api/form", answer_form},
    {HTTP_GET, "/api/started", answer_started},
};

// Those that change something on this machine: not where the server is read-only.
static const ServerRoute changing_routes[] = {
    {HTTP_POST, "/api/start", answer_start},
    {HTTP_POST, "/api/stop", answer_stop},
    {HTTP_POST, "/api/resume", answer_resume},
};
#define COUNT(routes) (sizeof(routes) / sizeof *(routes))

static bool answer_file(const char *path, HttpReply *reply) {
    const WebFile file = web_file_find(path);
    if (file.contents.text == NULL)
        return false;
    reply->type = file.type;
    reply->fixed = file.contents;
    reply->may_be_kept = true;
    return true;
}

static const ServerRoute *find_route(const ServerRoute *from, size_t count,
                                     const HttpRequest *request) {
    for (size_t i = 0; i < count; i++)
        if (from[i].method == request->method && strcmp(from[i].path, request->path) == 0)
            return &from[i];
    return NULL;
}

void server_answer(void *context, const HttpRequest *request, HttpReply *reply) {
    Server *server = context;
    const ServerRoute *route = find_route(routes, COUNT(routes), request);
    if (route == NULL && (route = find_route(changing_routes, COUNT(changing_routes), request)) &&
        server->is_read_only) {
        http_refuse(reply, 403, "This server was started with --read-only: it changes nothing.");
        return;
    }
    if (route != NULL) {
        reply->type = "application/json";
        if (request->method == HTTP_GET)
            reply->news = catalog_version(&server->catalog);
        route->answer(server, request, reply);
    } else if (request->method != HTTP_GET || !answer_file(request->path, reply)) {
        http_refuse(reply, 404, "There is no such page.");
    }
}
