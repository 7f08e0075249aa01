// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_xboard.h"

#include "base/mem.h"
#include "chess/san.h"
#include "engines/xboard_client.h"
#include "match/play/player_engine.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct XboardPlayer {
    const EngineSpec *spec;
    XboardClient *client; // NULL until it is started
    int cancel_fd;
} XboardPlayer;

static Fault start_engine(XboardPlayer *player) {
    bool is_fit = player->client != NULL && xboard_client_fault(player->client) == FAULT_NONE &&
                  xboard_client_is_reusable(player->client);
    if (is_fit)
        return FAULT_NONE;
    xboard_client_close(player->client);
    player->client = NULL;
    XboardConfig config = {.spec = player->spec, .cancel_fd = player->cancel_fd};
    Status status = xboard_client_open(&player->client, &config);
    return status == OK ? FAULT_NONE : player_fault_of_start(status, player->cancel_fd);
}

// What came of a command that the engine was given.
static Fault fault_of(const XboardPlayer *player) {
    Fault fault = xboard_client_fault(player->client);
    return fault == FAULT_NONE ? FAULT_REFUSED : fault;
}

static Fault new_game(void *self, const Position *start) {
    XboardPlayer *player = self;
    Fault fault = start_engine(player);
    if (fault == FAULT_NONE && xboard_client_new_game(player->client, start) != OK)
        fault = fault_of(player);
    return fault;
}

static void push_move(void *self, Move move) {
    XboardPlayer *player = self;
    xboard_client_push_move(player->client, move);
}

static void take_answer(const XboardAnswer *answer, PlayerAnswer *out) {
    *out = (PlayerAnswer){.move = answer->move,
                          .elapsed_ns = answer->elapsed_ns,
                          .latency_ns = answer->latency_ns,
                          .has_resigned = answer->has_resigned,
                          .offers_draw = answer->offers_draw,
                          .has_score = answer->has_info,
                          .is_mate = answer->info.is_mate,
                          .score = answer->info.score,
                          .depth = answer->info.depth,
                          .nodes = answer->info.nodes};
    snprintf(out->text, sizeof out->text, "%s", answer->text);
}

static void hear_info(void *context, const XboardInfo *info, int64_t elapsed_ns) {
    const PlayerHearing *hearing = context;
    PlayerLine line = {.has_score = true,
                       .is_mate = info->is_mate,
                       .score = info->score,
                       .depth = info->depth,
                       .nodes = info->nodes,
                       .elapsed_ns = elapsed_ns};
    const StrView first = xboard_first_move(info->pv);
    if (first.length == 0)
        return;
    if (san_parse(hearing->pos, first, &line.first) != SAN_OK)
        line.first = MOVE_NONE;
    hearing->listener->on_line(hearing->listener->context, &line);
}

static Fault think(void *self, const Position *pos, const Limits *limits,
                   const PlayerListener *listener, PlayerAnswer *out) {
    XboardPlayer *player = self;
    PlayerHearing hearing = {listener, pos};
    const XboardListener infos = {&hearing, hear_info};
    XboardAnswer answer;
    Status status =
        xboard_client_go(player->client, limits, listener == NULL ? NULL : &infos, &answer);
    take_answer(&answer, out);
    if (status != OK)
        return fault_of(player);
    if (answer.has_resigned)
        return FAULT_NONE;
    return player_judge_answer(player->spec->name, pos, answer.is_late, out);
}

static void end_game(void *self, GameResult result) {
    XboardPlayer *player = self;
    if (player->client != NULL)
        xboard_client_end_game(player->client, result);
}

static void close_player(void *self) {
    XboardPlayer *player = self;
    xboard_client_close(player->client);
    free(player);
}

Status player_xboard_create(Player *out, const EngineSpec *spec, int cancel_fd) {
    static const PlayerOps ops = {new_game, push_move, think, end_game, close_player};
    if (spec->limits.nodes > 0)
        return error_set(
            ERR_ARG,
            "%s: the XBoard protocol has no limit by nodes: give tc=, st= or depth=", spec->name);
    if (spec->limits.move_ms % 1000 != 0)
        return error_set(ERR_ARG, "%s: XBoard engines think whole seconds: give st=1 or more",
                         spec->name);
    XboardPlayer *player = mem_alloc_zero(1, sizeof *player);
    player->spec = spec;
    player->cancel_fd = cancel_fd;
    *out = (Player){&ops, player, spec->name};
    return OK;
}
