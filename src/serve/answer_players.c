// SPDX-License-Identifier: GPL-3.0-or-later
// Players: models that come with the program, clones that were found, and who played a game.
#include "serve/answer.h"
#include "serve/plain_file.h"
#include "serve/player_view.h"

#include <string.h>

enum { CLONE_FIGURES_MAX = 1 << 20 };

// The weights of a clone are in the list of weights too: under the number of their own path.
static void write_clones(Server *server, Str *out) {
    Catalog *catalog = &server->catalog;
    size_t told = 0;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    str_add(out, "[");
    for (size_t i = 0; i < catalog->count; i++) {
        CLEANUP(str_free) Str path = {0};
        const CatalogItem *item = catalog->items[i];
        char id[CATALOG_ID_SIZE];
        if (!item->is_seen || item->kind != ITEM_CLONE)
            continue;
        str_addf(&path, "%s/clone.weights", item->path);
        catalog_write_id(str_text(&path), id);
        str_add(out, told++ == 0 ? "{" : ",{");
        answer_add_item(item, out);
        str_addf(out, ",\"which\":\"file/%s\"}", id);
    }
    str_add(out, "]");
    pthread_mutex_unlock(&catalog->lock);
}

void answer_players(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    str_add(&reply->body, "{\"models\":");
    player_view_write_models(&reply->body);
    str_add(&reply->body, ",\"clones\":");
    write_clones(server, &reply->body);
    str_add(&reply->body, "}");
}

// As the file has them: it is JSON, or the page says that it is none.
void answer_clone(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str path = {0};
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_CLONE, reply);
    if (item != NULL)
        str_addf(&path, "%s/results.json", item->path);
    pthread_mutex_unlock(&catalog->lock);
    if (path.length > 0 && plain_read(str_text(&path), CLONE_FIGURES_MAX, &reply->body) != OK)
        http_refuse(reply, 404, "There are no figures of this clone.");
}

void answer_recognize(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str pgn = {0};
    CLEANUP(str_free) Str name = {0};
    play_text(request->body, "pgn", &pgn);
    play_text(request->body, "name", &name);
    const Status status = player_view_recognize(
        &server->thinkers, view_of(str_text(&pgn), pgn.length), str_text(&name), &reply->body);
    if (status != OK)
        http_refuse(reply, status == ERR_LIMIT ? 503 : 400, "%s", error_message());
}
