// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that commands wrote: of a run, a tuning, a clone, and of reproduced papers.
#include "base/json.h"
#include "serve/answer.h"
#include "serve/paper_view.h"
#include "serve/plain_file.h"

enum { REPORT_MAX = 1 << 24 };

// Where the page of an item is: "" where it has none.
static void find_report(Server *server, const char *id, Str *path) {
    static const struct {
        ItemKind kind;
        const char *file;
    } pages[] = {{ITEM_RUN, "/report.html"},
                 {ITEM_TUNING, "/report.html"},
                 {ITEM_CLONE, "/card.html"},
                 {ITEM_PAPER, ""}};
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    for (size_t i = 0; i < sizeof pages / sizeof *pages && path->length == 0; i++) {
        const CatalogItem *item = catalog_find(catalog, id, pages[i].kind);
        if (item != NULL)
            str_addf(path, "%s%s", item->path, pages[i].file);
    }
    pthread_mutex_unlock(&catalog->lock);
}

void answer_report(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str path = {0};
    find_report(server, http_query(request, "id"), &path);
    reply->type = "text/html; charset=utf-8";
    if (path.length == 0 || plain_read(str_text(&path), REPORT_MAX, &reply->body) != OK)
        http_refuse(reply, 404, "There is no such report.");
    else
        reply->headers = access_report_headers;
}

void answer_papers(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    str_add(&reply->body, "{\"papers\":");
    paper_view_write_list(server, &reply->body);
    str_add(&reply->body, "}");
}

void answer_paper(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)server;
    CLEANUP(str_free) Str text = {0};
    const char *name = http_query(request, "name");
    if (name == NULL || paper_view_read(name, &text) != OK) {
        http_refuse(reply, 404, "There is no such page.");
        return;
    }
    str_add(&reply->body, "{\"text\":");
    json_add_string(&reply->body, str_text(&text));
    str_add(&reply->body, "}");
}
