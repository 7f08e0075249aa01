// SPDX-License-Identifier: GPL-3.0-or-later
// A match: its table, its games, and one of them move by move.
#include "chess/pgn.h"
#include "serve/answer.h"
#include "serve/live_view.h"
#include "serve/match_game.h"
#include "serve/plain_file.h"

enum { GAMES_AT_A_TIME = 500 };

void answer_match(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_MATCH, reply);
    if (item != NULL) {
        str_add(&reply->body, "{");
        answer_add_item(item, &reply->body);
        match_view_write(&item->match, &reply->body);
        str_add(&reply->body, "}");
    }
    pthread_mutex_unlock(&catalog->lock);
}

// A file that nobody holds any more is of games that were broken off.
void answer_live(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    CLEANUP(str_free) Str path = {0};
    bool is_running = false;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_MATCH, reply);
    if (item != NULL) {
        is_running = item->state == ITEM_RUNNING;
        str_setf(&path, "%s", item->path);
        str_add(&reply->body, "{");
        answer_add_item(item, &reply->body);
        str_addf(&reply->body, ",\"games\":%zu,\"boards\":", item->match.count);
    }
    pthread_mutex_unlock(&catalog->lock);
    if (item == NULL)
        return;
    if (is_running)
        live_view_write(str_text(&path), &reply->body);
    else
        str_add(&reply->body, "[]");
    str_add(&reply->body, "}");
}

void answer_games(Server *server, const HttpRequest *request, HttpReply *reply) {
    Catalog *catalog = &server->catalog;
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_MATCH, reply);
    if (item != NULL) {
        str_addf(&reply->body, "{\"count\":%zu,\"games\":", item->match.count);
        match_view_write_games(&item->match, answer_number(request, "from"), GAMES_AT_A_TIME,
                               &reply->body);
        str_add(&reply->body, "}");
    }
    pthread_mutex_unlock(&catalog->lock);
}

// Where a game's text is, copied; false with a reply.
static bool find_game(Server *server, const HttpRequest *request, HttpReply *reply, Str *path,
                      MatchEntry *game) {
    Catalog *catalog = &server->catalog;
    const size_t number = answer_number(request, "game");
    bool is_there = false;
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = answer_find(server, request, ITEM_MATCH, reply);
    if (item != NULL && number >= 1 && number <= item->match.count) {
        str_setf(path, "%s/games.pgn", item->path);
        *game = item->match.games[number - 1];
        is_there = game->pgn_length > 0;
    }
    pthread_mutex_unlock(&catalog->lock);
    if (item != NULL && !is_there)
        http_refuse(reply, 404, "There is no such game.");
    return is_there;
}

void answer_game(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    MatchEntry game;
    if (!find_game(server, request, reply, &path, &game))
        return;
    if (plain_read_part(str_text(&path), game.pgn_at, game.pgn_length, &text) != OK ||
        match_game_write(view_of(str_text(&text), text.length), &reply->body) != OK)
        http_refuse(reply, 404, "%s", error_message());
}
