// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/games/games.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "dist/spread.h"
#include "match/play/player_organism.h"

#include <stdlib.h>

// Only a machine that stands still lets a move take this long.
static const int64_t cap_ms = 24 * 60 * 60 * 1000LL;

// What one thread plays with: kept, because making them costs more than giving them new weights.
typedef struct Board {
    Player players[COLOR_NB];
    bool is_open;
} Board;

struct Games {
    GamesConfig config;
    DistPool *pool;
    Board *boards;      // one per thread
    DistRemote *remote; // opened when it is needed; NULL where there are no other ranks
    bool has_asked;     // for a remote
};

// What is being played.
typedef struct Round {
    Games *games;
    const Weights *organisms;
    const GameTask *tasks;
    unsigned *half_points;
} Round;

Games *games_create(const GamesConfig *config, DistPool *pool) {
    Games *games = mem_alloc_zero(1, sizeof *games);
    games->config = *config;
    games->pool = pool;
    games->boards = mem_alloc_zero((size_t)dist_pool_threads(pool), sizeof *games->boards);
    return games;
}

void games_destroy(Games *games) {
    if (games == NULL)
        return;
    for (int i = 0; i < dist_pool_threads(games->pool); i++)
        for (int c = 0; c < COLOR_NB && games->boards[i].is_open; c++)
            games->boards[i].players[c].ops->close(games->boards[i].players[c].self);
    dist_remote_close(games->remote);
    free(games->boards);
    free(games);
}

static void set_players(Board *board, const GamesConfig *config, const Weights *white,
                        const Weights *black) {
    static const char *const names[COLOR_NB] = {"White", "Black"};
    const Weights *weights[COLOR_NB] = {white, black};
    for (int c = 0; c < COLOR_NB; c++) {
        const OrganismConfig organism = {weights[c], features_of(config->profile), config->hash_mb,
                                         -1};
        if (board->is_open)
            player_organism_set_weights(&board->players[c], weights[c]);
        else
            board->players[c] = player_organism_create(&organism, names[c]);
    }
    board->is_open = true;
}

static unsigned white_half_points(GameResult result) {
    return result == RESULT_WHITE_WINS ? 2 : result == RESULT_DRAW ? 1 : 0;
}

static Status play_game(Games *games, int worker, const Weights *white, const Weights *black,
                        const Position *start, unsigned *half_points) {
    const GamesConfig *config = &games->config;
    Board *board = &games->boards[worker];
    const GameSide side = {.limits = {.nodes = config->nodes, .depth = config->depth}};
    const GameConfig game = {.start = *start,
                             .sides = {side, side},
                             .rules = {.max_moves = config->max_moves},
                             .cap_ms = cap_ms};
    GameRecord record;
    set_players(board, config, white, black);
    game_play(&game, &board->players[WHITE], &board->players[BLACK], &record);
    // Organisms make no mistakes of this kind: it would be one of ours.
    const Status status = record.detail[0] == '\0'
                              ? OK
                              : error_set(ERR_ENGINE, "a game broke off: %s", record.detail);
    *half_points = white_half_points(record.result);
    game_record_deinit(&record);
    return status;
}

static Status play_one(void *context, size_t index, int worker) {
    const Round *round = context;
    const GameTask *task = &round->tasks[index];
    return play_game(round->games, worker, &round->organisms[task->white],
                     &round->organisms[task->black], &task->start, &round->half_points[index]);
}

// --- on other ranks ---

// A game as bytes: the family, the numbers of both organisms, the position.
static bool pack_game(void *context, size_t index, Str *out) {
    const Round *round = context;
    const GameTask *task = &round->tasks[index];
    const Weights *players[COLOR_NB] = {&round->organisms[task->white],
                                        &round->organisms[task->black]};
    const Family *family = players[WHITE]->family;
    char fen[FEN_SIZE];
    bytes_add_text(out, view_from_string(family->name));
    for (int c = 0; c < COLOR_NB; c++)
        for (size_t i = 0; i < family->term_count; i++)
            bytes_add_u32(out, (uint32_t)players[c]->parameters[i]);
    fen_write(&task->start, fen);
    bytes_add_text(out, view_from_string(fen));
    return true;
}

static Status unpack_result(void *context, size_t index, StrView answer) {
    const Round *round = context;
    ByteReader in = {answer, false};
    const unsigned half_points = bytes_u8(&in);
    if (!bytes_are_done(&in) || half_points > 2)
        return error_set(ERR_PARSE, "what came back is no result");
    round->half_points[index] = half_points;
    return OK;
}

static Status unpack_game(ByteReader *in, Weights players[COLOR_NB], Position *start) {
    Str text = {0};
    const StrView name = bytes_text(in);
    str_append(&text, name.text, name.length);
    const Family *family = family_find(str_text(&text));
    Status status = family == NULL ? error_set(ERR_ARG, "no family %s", str_text(&text)) : OK;
    for (int c = 0; c < COLOR_NB && status == OK; c++) {
        weights_init(&players[c], family);
        for (size_t i = 0; i < family->term_count; i++)
            players[c].parameters[i] = (int32_t)bytes_u32(in);
    }
    const StrView fen = bytes_text(in);
    str_clear(&text);
    str_append(&text, fen.text, fen.length);
    if (status == OK && !bytes_are_done(in))
        status = error_set(ERR_PARSE, "these bytes describe no game");
    if (status == OK)
        status = fen_parse(str_text(&text), start);
    str_free(&text);
    return status;
}

static Status answer_game(void *self, int worker, StrView work, Str *out) {
    ByteReader in = {work, false};
    Weights players[COLOR_NB];
    Position start;
    unsigned half_points = 0;
    Status status = unpack_game(&in, players, &start);
    if (status == OK)
        status = play_game(self, worker, &players[WHITE], &players[BLACK], &start, &half_points);
    bytes_add_u8(out, (uint8_t)half_points);
    return status;
}

static Status open_service(void **self, StrView context, DistPool *pool, int cancel_fd,
                           uint64_t *fingerprint) {
    (void)cancel_fd;
    ByteReader in = {context, false};
    GamesConfig config;
    (void)fingerprint;
    config.profile = (Profile)bytes_u32(&in);
    config.hash_mb = bytes_u64(&in);
    config.nodes = bytes_u64(&in);
    config.depth = (int)bytes_u32(&in);
    config.max_moves = (int)bytes_u32(&in);
    if (!bytes_are_done(&in) || config.profile >= PROFILE_NB)
        return error_set(ERR_PARSE, "these bytes describe no games");
    chess_init();
    *self = games_create(&config, pool);
    return OK;
}

static void close_service(void *self) {
    games_destroy(self);
}

const DistService games_service = {
    .name = "games", .open = open_service, .answer = answer_game, .close = close_service};

static Status find_remote(Games *games) {
    Str context = {0};
    const GamesConfig *config = &games->config;
    if (games->has_asked)
        return OK;
    bytes_add_u32(&context, config->profile);
    bytes_add_u64(&context, config->hash_mb);
    bytes_add_u64(&context, config->nodes);
    bytes_add_u32(&context, (uint32_t)config->depth);
    bytes_add_u32(&context, (uint32_t)config->max_moves);
    const DistRemoteConfig setup = {.service = games_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .threads = dist_pool_rank_threads(games->pool)};
    Status status = dist_remote_open(&games->remote, dist_pool_ranks(games->pool), &setup);
    if (status == OK)
        status = dist_remote_wait(games->remote, 0);
    str_free(&context);
    games->has_asked = status == OK;
    return status;
}

Status games_play(Games *games, const Weights *organisms, const GameTask *tasks, size_t count,
                  unsigned *half_points) {
    Round round = {games, organisms, tasks, half_points};
    const DistJobs jobs = {&round, play_one, pack_game, unpack_result};
    const Status status = find_remote(games);
    return status == OK ? dist_spread_jobs(games->remote, games->pool, count, &jobs) : status;
}
