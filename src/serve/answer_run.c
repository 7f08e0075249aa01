// SPDX-License-Identifier: GPL-3.0-or-later
// A run of evolution: its curves and its genes.
#include "serve/answer.h"
#include "serve/genes_view.h"

#include <inttypes.h>

uint32_t answer_number(const HttpRequest *request, const char *key) {
    const char *text = http_query(request, key);
    int64_t number;
    return text != NULL && view_to_int(view_from_string(text), &number) && number >= 0 &&
                   number <= UINT32_MAX
               ? (uint32_t)number
               : 0;
}

CatalogItem *answer_find(Server *server, const HttpRequest *request, ItemKind kind,
                         HttpReply *reply) {
    CatalogItem *item = catalog_find(&server->catalog, http_query(request, "id"), kind);
    if (item == NULL)
        http_refuse(reply, 404, "There is nothing of that id.");
    return item;
}

void answer_run(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_RUN, reply);
    if (item != NULL) {
        str_add(&reply->body, "{");
        answer_add_item(item, &reply->body);
        run_view_write(&item->run, answer_number(request, "from"), &reply->body);
        str_add(&reply->body, "}");
    }
    pthread_mutex_unlock(&catalog->lock);
}

// --- genes ---

bool answer_find_run(Server *server, const HttpRequest *request, HttpReply *reply, Str *path,
                     uint32_t *last) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_RUN, reply);
    if (item != NULL) {
        const RunView *run = &item->run;
        str_setf(path, "%s", item->path);
        *last = run->count == 0 ? 0 : run->points[run->count - 1].generation;
    }
    pthread_mutex_unlock(&catalog->lock);
    return item != NULL;
}

void answer_genes(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str path = {0};
    const char *of = http_query(request, "of");
    uint32_t last;
    if (!answer_find_run(server, request, reply, &path, &last))
        return;
    str_addf(&reply->body, "{\"last\":%" PRIu32, last);
    if (genes_write(str_text(&path), last, of == NULL ? "mean" : of, &reply->body) != OK)
        http_refuse(reply, 404, "%s", error_message());
    else
        str_add(&reply->body, "}");
}
