// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_uci.h"

#include "base/mem.h"
#include "chess/movegen.h"
#include "engines/uci_client.h"
#include "match/play/player_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct UciPlayer {
    const EngineSpec *spec;
    UciClient *client; // NULL until it is started
    int cancel_fd;
    const EngineOption *options; // set before every game, besides those of the description
    size_t option_count;
} UciPlayer;

static Status set_options(const UciPlayer *player) {
    Status status = OK;
    for (size_t i = 0; i < player->option_count && status == OK; i++)
        status = uci_client_set_option(player->client, player->options[i].name,
                                       player->options[i].value);
    return status;
}

static Fault new_game(void *self, const Position *start) {
    UciPlayer *player = self;
    if (player->client != NULL && uci_client_fault(player->client) != FAULT_NONE) {
        uci_client_close(player->client);
        player->client = NULL;
    }
    if (player->client == NULL) {
        UciConfig config = {.spec = player->spec, .cancel_fd = player->cancel_fd};
        Status status = uci_client_open(&player->client, &config);
        if (status != OK)
            return player_fault_of_start(status, player->cancel_fd);
    }
    if (set_options(player) != OK)
        return uci_client_fault(player->client) == FAULT_NONE ? FAULT_REFUSED
                                                              : uci_client_fault(player->client);
    if (uci_client_new_game(player->client) != OK)
        return uci_client_fault(player->client);
    uci_client_set_position(player->client, start);
    return FAULT_NONE;
}

static void push_move(void *self, Move move) {
    UciPlayer *player = self;
    uci_client_push_move(player->client, move);
}

static void take_info(const UciInfo *info, PlayerAnswer *out) {
    out->has_score = (info->has & UCI_INFO_SCORE) != 0;
    out->is_mate = (info->has & UCI_INFO_MATE) != 0;
    out->score = info->score;
    out->depth = info->depth;
    out->nodes = info->nodes;
}

static void hear_info(void *context, const UciInfo *info, int64_t elapsed_ns) {
    const PlayerHearing *hearing = context;
    StrView rest = info->pv;
    if ((info->has & UCI_INFO_PV) == 0 || info->multipv > 1)
        return;
    const StrView first = view_next_word(&rest);
    const PlayerLine line = {.first = move_from_uci(hearing->pos, first.text, first.length),
                             .has_score = (info->has & UCI_INFO_SCORE) != 0,
                             .is_mate = (info->has & UCI_INFO_MATE) != 0,
                             .score = info->score,
                             .depth = info->depth,
                             .nodes = info->nodes,
                             .elapsed_ns = elapsed_ns};
    hearing->listener->on_line(hearing->listener->context, &line);
}

static Fault think(void *self, const Position *pos, const Limits *limits,
                   const PlayerListener *listener, PlayerAnswer *out) {
    UciPlayer *player = self;
    PlayerHearing hearing = {listener, pos};
    const UciListener infos = {&hearing, hear_info};
    UciAnswer answer;
    Status status =
        uci_client_go(player->client, limits, listener == NULL ? NULL : &infos, &answer);
    *out = (PlayerAnswer){.elapsed_ns = answer.elapsed_ns, .latency_ns = answer.latency_ns};
    if (status != OK)
        return uci_client_fault(player->client);
    take_info(&answer.info, out);
    snprintf(out->text, sizeof out->text, "%s", answer.best);
    out->move = move_from_uci(pos, answer.best, strlen(answer.best));
    return player_judge_answer(player->spec->name, pos, answer.is_late, out);
}

static void close_player(void *self) {
    UciPlayer *player = self;
    uci_client_close(player->client);
    free(player);
}

Player player_uci_create(const EngineSpec *spec, int cancel_fd) {
    static const PlayerOps ops = {new_game, push_move, think, NULL, close_player};
    UciPlayer *player = mem_alloc_zero(1, sizeof *player);
    player->spec = spec;
    player->cancel_fd = cancel_fd;
    return (Player){&ops, player, spec->name};
}

void player_uci_set_options(const Player *player, const EngineOption *options, size_t count) {
    UciPlayer *self = player->self;
    self->options = options;
    self->option_count = count;
}
