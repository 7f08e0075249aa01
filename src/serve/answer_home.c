// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"
#include "serve/answer.h"
#include "serve/events.h"

static const char *const kind_names[] = {"run",   "match", "tuning", "weights",
                                         "suite", "clone", "paper"};
static const char *const state_names[] = {"running", "finished", "stopped"};

void answer_session(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    str_addf(&reply->body, "{\"token\":\"%s\",\"version\":\"%s\"}", server->access.token,
             FALCONER_VERSION);
}

void answer_events(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    reply->type = "text/event-stream";
    reply->stream = events_open(&server->catalog);
}

void answer_add_item(const CatalogItem *item, Str *out) {
    str_addf(out, "\"id\":\"%s\",\"kind\":\"%s\",\"state\":\"%s\",\"name\":", item->id,
             kind_names[item->kind], state_names[item->state]);
    json_add_string(out, item->name);
    str_addf(out, ",\"report\":%s", item->has_report ? "true" : "false");
}

static void add_summary(const CatalogItem *item, Str *out) {
    str_add(out, "{");
    answer_add_item(item, out);
    if (item->kind == ITEM_RUN)
        run_view_write_summary(&item->run, out);
    else if (item->kind == ITEM_MATCH)
        match_view_write_summary(&item->match, out);
    else if (item->kind == ITEM_TUNING)
        tuning_view_write_summary(&item->tuning, out);
    else if (item->kind == ITEM_SUITE)
        suite_view_write_summary(&item->suite, out);
    str_add(out, "}");
}

void answer_home(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    Catalog *catalog = &server->catalog;
    Str *out = &reply->body;
    size_t told = 0, weights = 0;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    str_add(out, "{\"items\":[");
    for (size_t i = 0; i < catalog->count; i++) {
        const CatalogItem *item = catalog->items[i];
        weights += item->is_seen && item->kind == ITEM_WEIGHTS;
        if (!item->is_seen || item->kind == ITEM_WEIGHTS)
            continue;
        if (told++ > 0)
            str_add(out, ",");
        add_summary(item, out);
    }
    str_addf(out, "],\"weights\":%zu,\"is_cut\":%s,\"folders\":[", weights,
             catalog->is_cut ? "true" : "false");
    for (size_t i = 0; i < catalog->folder_count; i++) {
        if (i > 0)
            str_add(out, ",");
        json_add_string(out, catalog->names[i]);
    }
    str_add(out, "]}");
    pthread_mutex_unlock(&catalog->lock);
}
