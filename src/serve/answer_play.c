// SPDX-License-Identifier: GPL-3.0-or-later
// The board: positions and their legal moves, the engine's move, the score term by term, and games
// as text.
#include "base/json.h"
#include "board/play_answers.h"
#include "chess/fen.h"
#include "serve/answer.h"
#include "serve/opponent.h"
#include "uci/level.h"

#include <math.h>
#include <string.h>

void answer_weights(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)request;
    str_addf(
        &reply->body,
        "{\"levels\":{\"least\":%d,\"most\":%d},\"nodes_most\":%d,\"time_most\":%d,\"weights\":",
        LEVEL_ELO_LEAST, LEVEL_ELO_MOST, THINKER_NODES_MAX, THINKER_TIME_MS);
    opponent_write_list(server, &reply->body);
    str_add(&reply->body, "}");
}

void answer_position(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)server;
    CLEANUP(play_game_free) PlayGame game = {0};
    if (play_game_read(&game, request->body) != OK)
        http_refuse(reply, 400, "%s", error_message());
    else
        play_game_write(&game, &reply->body);
}

// --- the engine's move ---

// What a page asks for: a level, so many nodes, or so much time (milliseconds).
static Status read_limits(const HttpRequest *request, Limits *limits, int *noise_cp) {
    int64_t wanted;
    *noise_cp = 0;
    *limits = (Limits){.nodes = THINKER_NODES_MAX, .move_ms = THINKER_TIME_MS};
    if (json_find_int(request->body, "level", &wanted)) {
        const Level level = level_of_elo(wanted);
        limits->nodes = level.nodes < THINKER_NODES_MAX ? level.nodes : THINKER_NODES_MAX;
        *noise_cp = level.noise_cp;
        return OK;
    }
    if (json_find_int(request->body, "time", &wanted)) {
        if (wanted < 1 || wanted > THINKER_TIME_MS)
            return error_set(ERR_ARG, "time: from 1 to %d milliseconds", THINKER_TIME_MS);
        *limits = (Limits){.move_ms = wanted};
        return OK;
    }
    if (!json_find_int(request->body, "nodes", &wanted) || wanted < 1 || wanted > THINKER_NODES_MAX)
        return error_set(ERR_ARG, "nodes: a whole number from 1 to %d", THINKER_NODES_MAX);
    limits->nodes = (uint64_t)wanted;
    return OK;
}

// An engine of the list obeys one limit, and is told to stop where it takes too long.
static Status think_elsewhere(Server *server, const HttpRequest *request, const PlayGame *game,
                              const char *name, Thought *out) {
    enum { LATE_MS = 3000 };
    const EngineSpec *engine = engine_list_find(&server->engines, name);
    CLEANUP(str_free) Str page = {0};
    Limits limits;
    int noise_cp;
    int64_t level;
    if (engine == NULL)
        return error_set(ERR_ARG, "there is no engine of that name in the list");
    if (json_find_int(request->body, "level", &level))
        return error_set(ERR_ARG, "levels are Eyas's: choose nodes or time");
    TRY(read_limits(request, &limits, &noise_cp));
    if (engine->protocol == PROTOCOL_XBOARD && (limits.nodes > 0 || limits.move_ms % 1000 != 0))
        return error_set(ERR_ARG, "%s speaks XBoard, which knows no nodes and no parts of a second",
                         engine->name);
    if (limits.nodes > 0)
        limits = (Limits){.nodes = limits.nodes, .cap_ms = THINKER_TIME_MS};
    else
        limits.cap_ms = limits.move_ms + LATE_MS;
    play_text(request->body, "page", &page);
    return engine_pool_think(&server->pool, engine, str_text(&page), game, &limits, out);
}

static Status think_here(Server *server, const HttpRequest *request, const PlayGame *game,
                         const char *which, Thought *out) {
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str name = {0};
    Limits limits;
    int noise_cp;
    TRY(read_limits(request, &limits, &noise_cp));
    TRY(opponent_load(server, which, &weights, &name));
    return thinkers_think(&server->thinkers, &weights, game, &limits, noise_cp, out);
}

static Status think(Server *server, const HttpRequest *request, Str *out) {
    static const char engine[] = "engine/";
    CLEANUP(play_game_free) PlayGame game = {0};
    CLEANUP(str_free) Str which = {0};
    Thought thought = {0};
    TRY(play_game_read(&game, request->body));
    play_text(request->body, "which", &which);
    if (strncmp(str_text(&which), engine, sizeof engine - 1) == 0)
        TRY(think_elsewhere(server, request, &game, str_text(&which) + sizeof engine - 1,
                            &thought));
    else
        TRY(think_here(server, request, &game, str_text(&which), &thought));
    thought_write(&thought, &game, out);
    return OK;
}

void answer_move(Server *server, const HttpRequest *request, HttpReply *reply) {
    const Status status = think(server, request, &reply->body);
    const unsigned code = status == ERR_LIMIT ? 503 : status == ERR_ENGINE ? 502 : 400;
    if (status != OK)
        http_refuse(reply, code, "%s", error_message());
}

void answer_leave(Server *server, const HttpRequest *request, HttpReply *reply) {
    CLEANUP(str_free) Str page = {0};
    play_text(request->body, "page", &page);
    engine_pool_leave(&server->pool, str_text(&page));
    str_add(&reply->body, "{}");
}

// --- the score term by term ---

static Status explain(Server *server, const HttpRequest *request, Str *out) {
    CLEANUP(play_game_free) PlayGame game = {0};
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str which = {0};
    CLEANUP(str_free) Str name = {0};
    TRY(play_game_read(&game, request->body));
    play_text(request->body, "which", &which);
    TRY(opponent_load(server, str_text(&which), &weights, &name));
    play_terms_write(&weights, &game.pgn.final, str_text(&name), out);
    return OK;
}

void answer_explain(Server *server, const HttpRequest *request, HttpReply *reply) {
    if (explain(server, request, &reply->body) != OK)
        http_refuse(reply, 400, "%s", error_message());
}

// --- the game as text ---

void answer_pgn(Server *server, const HttpRequest *request, HttpReply *reply) {
    (void)server;
    if (play_pgn_write(request->body, "falconer serve", &reply->body) != OK)
        http_refuse(reply, 400, "%s", error_message());
}
