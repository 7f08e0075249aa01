// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to a suite, and positions as drawings.
#include "chess/fen.h"
#include "diagram/diagram.h"
#include "serve/answer.h"

enum { POSITIONS_AT_A_TIME = 2000 };

void answer_suite(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    const size_t from = answer_number(request, "from");
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_SUITE, reply);
    if (item != NULL) {
        str_add(&reply->body, "{");
        answer_add_item(item, &reply->body);
        suite_view_write_summary(&item->suite, &reply->body);
        str_addf(&reply->body, ",\"from\":%zu,\"list\":", from);
        suite_view_write_positions(&item->suite, from, POSITIONS_AT_A_TIME, &reply->body);
        str_add(&reply->body, "}");
    }
    pthread_mutex_unlock(&catalog->lock);
}

void answer_diagram(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)server;
    const char *fen = http_query(request, "fen"), *san = http_query(request, "san");
    Position pos;
    Move move = MOVE_NONE;
    if (fen == NULL || fen_parse(fen, &pos) != OK) {
        http_refuse(reply, 400, "%s", fen == NULL ? "no position" : error_message());
        return;
    }
    if (san != NULL && san_parse(&pos, view_from_string(san), &move) != SAN_OK)
        move = MOVE_NONE;
    reply->type = "image/svg+xml";
    diagram_write_svg(&(DiagramSpec){.position = &pos,
                                     .move = move,
                                     .is_from_black = position_turn(&pos) == BLACK},
                      &reply->body);
}
