// SPDX-License-Identifier: GPL-3.0-or-later
// A player that is an engine in another process.
#include "base/cancel.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "engines/client.h"
#include "match/play/player_create.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct EnginePlayer {
    const EngineSpec *spec;
    EngineClient *client; // NULL until it is started
    int cancel_fd;
    const EngineOption *options; // set before every game, besides those of the description
    size_t option_count;
} EnginePlayer;

typedef struct Hearing {
    const PlayerListener *listener;
    const EngineClient *client;
} Hearing;

static Fault start_engine(EnginePlayer *player) {
    const bool may_stay = !player->spec->restarts;
    if (player->client != NULL && may_stay && client_is_reusable(player->client))
        return FAULT_NONE;
    client_close(player->client);
    player->client = NULL;
    const ClientConfig config = {.spec = player->spec, .cancel_fd = player->cancel_fd};
    const Status status = client_open(&player->client, &config);
    if (status == OK)
        return FAULT_NONE;
    if (cancel_is_requested(player->cancel_fd))
        return FAULT_CANCELLED;
    return status == ERR_ENGINE ? FAULT_CRASHED : FAULT_REFUSED;
}

static Status begin_game(const EnginePlayer *player, const Position *start) {
    for (size_t i = 0; i < player->option_count; i++)
        TRY(client_set_option(player->client, player->options[i].name, player->options[i].value));
    return client_new_game(player->client, start);
}

// What came of a command that the engine was given.
static Fault fault_of(const EnginePlayer *player) {
    const Fault fault = client_fault(player->client);
    return fault == FAULT_NONE ? FAULT_REFUSED : fault;
}

static Fault new_game(void *self, const Position *start) {
    EnginePlayer *player = self;
    const Fault fault = start_engine(player);
    if (fault != FAULT_NONE)
        return fault;
    return begin_game(player, start) == OK ? FAULT_NONE : fault_of(player);
}

static void push_move(void *self, Move move) {
    EnginePlayer *player = self;
    client_push_move(player->client, move);
}

static void hear_info(void *context, const UciInfo *info, int64_t elapsed_ns) {
    const Hearing *hearing = context;
    const PlayerLine line = {.first = client_first_move(hearing->client, info->pv),
                             .has_score = (info->has & UCI_INFO_SCORE) != 0,
                             .is_mate = (info->has & UCI_INFO_MATE) != 0,
                             .score = info->score,
                             .depth = info->depth,
                             .nodes = info->nodes,
                             .elapsed_ns = elapsed_ns};
    hearing->listener->on_line(hearing->listener->context, &line);
}

static void take_answer(const EngineAnswer *answer, PlayerAnswer *out) {
    *out = (PlayerAnswer){.move = answer->move,
                          .has_resigned = answer->has_resigned,
                          .offers_draw = answer->offers_draw,
                          .has_score = (answer->info.has & UCI_INFO_SCORE) != 0,
                          .is_mate = (answer->info.has & UCI_INFO_MATE) != 0,
                          .score = answer->info.score,
                          .depth = answer->info.depth,
                          .nodes = answer->info.nodes,
                          .elapsed_ns = answer->elapsed_ns,
                          .latency_ns = answer->latency_ns};
    snprintf(out->text, sizeof out->text, "%s", answer->text);
}

static Fault think(void *self, const Position *pos, const Limits *limits,
                   const PlayerListener *listener, PlayerAnswer *out) {
    EnginePlayer *player = self;
    Hearing hearing = {listener, player->client};
    const ClientListener infos = {&hearing, hear_info};
    EngineAnswer answer;
    const Status status =
        client_go(player->client, limits, listener == NULL ? NULL : &infos, &answer);
    // What a UCI engine told before it failed is not its answer.
    if (status != OK && player->spec->protocol == PROTOCOL_UCI)
        answer.info = (UciInfo){0};
    take_answer(&answer, out);
    if (status != OK)
        return fault_of(player);
    if (answer.has_resigned)
        return FAULT_NONE;
    if (answer.is_late) {
        error_set(ERR_ENGINE, "%s: took too long", player->spec->name);
        return FAULT_LATE;
    }
    if (answer.move != MOVE_NONE)
        return FAULT_NONE;
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    error_set(ERR_ENGINE, "%s: illegal move %s in %s", player->spec->name, answer.text, fen);
    return FAULT_ILLEGAL;
}

static void end_game(void *self, GameResult result) {
    EnginePlayer *player = self;
    if (player->client != NULL)
        client_end_game(player->client, result);
}

static void close_player(void *self) {
    EnginePlayer *player = self;
    client_close(player->client);
    free(player);
}

Player player_engine_create(const EngineSpec *spec, int cancel_fd) {
    static const PlayerOps ops = {new_game, push_move, think, end_game, close_player};
    EnginePlayer *player = mem_alloc_zero(1, sizeof *player);
    player->spec = spec;
    player->cancel_fd = cancel_fd;
    return (Player){&ops, player, spec->name};
}

void player_engine_set_options(const Player *player, const EngineOption *options, size_t count) {
    EnginePlayer *self = player->self;
    self->options = options;
    self->option_count = count;
}
