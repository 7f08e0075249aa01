// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/games/games.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "dist/workers.h"
#include "match/play/player_organism.h"
#include "match/play/tally.h"
#include "search/search_family.h"

#include <stdlib.h>
#include <string.h>

// Only a machine that stands still lets a move take this long.
static const int64_t cap_ms = 24 * 60 * 60 * 1000LL;

struct Games {
    GamesConfig config;
    DistPool *pool;
    DistWorkers *workers; // opened when they are needed
};

// What a worker plays with: kept, because making them costs more than giving them new weights.
typedef struct Board {
    const GamesConfig *config;
    Player players[COLOR_NB];
    bool is_open;
} Board;

// What is being played.
typedef struct Round {
    const Weights *organisms;
    const GameTask *tasks;
    GameScore *scores;
    GameMoves *moves; // or NULL
} Round;

Games *games_create(const GamesConfig *config, DistPool *pool) {
    Games *games = mem_alloc_zero(1, sizeof *games);
    games->config = *config;
    games->pool = pool;
    return games;
}

void games_destroy(Games *games) {
    if (games == NULL)
        return;
    dist_workers_close(games->workers);
    free(games);
}

void game_moves_free(GameMoves *games, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(games[i].moves);
}

// --- by a worker ---

static bool is_search(const Weights *organism) {
    return organism->family == &family_search;
}

static Features features_for(const GamesConfig *config, const Weights *organism) {
    Features features = is_search(organism) ? search_family_features(organism->parameters)
                                            : features_of(config->profile);
    features.on[FEATURE_QUIESCENCE_CHECKS] |= config->checks;
    return features;
}

static void set_players(Board *board, const Weights players[COLOR_NB]) {
    static const char *const names[COLOR_NB] = {"White", "Black"};
    const GamesConfig *config = board->config;
    for (int c = 0; c < COLOR_NB; c++) {
        const Features features = features_for(config, &players[c]);
        const Weights *weights = is_search(&players[c]) ? config->evaluation : &players[c];
        const OrganismConfig organism = {weights, features, config->hash_mb, -1};
        if (!board->is_open)
            board->players[c] = player_organism_create(&organism, names[c]);
        else if (is_search(&players[c]))
            player_organism_set_features(&board->players[c], &features);
        else
            player_organism_set_weights(&board->players[c], weights);
    }
    board->is_open = true;
}

static Status unpack_game(const GamesConfig *config, StrView job, Weights players[COLOR_NB],
                          Position *start) {
    ByteReader in = {job, false};
    CLEANUP(mem_free_at) char *name = bytes_string(&in);
    const Family *family = name == NULL                       ? NULL
                           : strcmp(name, FAMILY_SEARCH) == 0 ? &family_search
                                                              : family_find(name);
    if (family == NULL || (family == &family_search && config->evaluation == NULL))
        return error_set(ERR_ARG, "no family %s", name == NULL ? "" : name);
    for (int c = 0; c < COLOR_NB; c++) {
        weights_init(&players[c], family);
        for (size_t i = 0; i < family->term_count; i++)
            players[c].parameters[i] = (int32_t)bytes_u32(&in);
    }
    CLEANUP(mem_free_at) char *fen = bytes_string(&in);
    if (!bytes_are_done(&in) || fen == NULL)
        return error_set(ERR_PARSE, "malformed game of organisms");
    return fen_parse(fen, start);
}

static Status play_game(void *worker, StrView job, Str *out) {
    Board *board = worker;
    const GamesConfig *config = board->config;
    const GameSide side = {.limits = {.nodes = config->nodes, .depth = config->depth}};
    GameConfig game = {.sides = {side, side}, .cap_ms = cap_ms};
    game.rules = config->is_adjudicated ? adjudication_usual(config->max_moves)
                                        : (AdjudicationRules){.max_moves = config->max_moves};
    Weights players[COLOR_NB];
    CLEANUP(game_record_deinit) GameRecord record = {0};
    TRY(unpack_game(config, job, players, &game.start));
    set_players(board, players);
    game_play(&game, &board->players[WHITE], &board->players[BLACK], &record);
    // Organisms make no mistakes of this kind: it would be one of ours.
    if (record.detail[0] != '\0')
        return error_set(ERR_ENGINE, "a game broke off: %s", record.detail);
    bytes_add_u8(out, (uint8_t)match_white_points(record.result));
    bytes_add_u32(out, (uint32_t)record.count);
    for (size_t i = 0; i < record.count; i++)
        bytes_add_u32(out, record.moves[i]);
    return OK;
}

static void *begin_board(void *self, int cancel_fd) {
    Board *board = mem_alloc_zero(1, sizeof *board);
    (void)cancel_fd;
    board->config = self;
    return board;
}

static void end_board(void *worker) {
    Board *board = worker;
    for (int c = 0; c < COLOR_NB && board->is_open; c++)
        board->players[c].ops->close(board->players[c].self);
    free(board);
}

static void pack_config(const void *self, Str *out) {
    const GamesConfig *config = self;
    CLEANUP(str_free) Str evaluation = {0};
    if (config->evaluation != NULL)
        weights_write(config->evaluation, &evaluation);
    bytes_add_text(out, view_of(str_text(&evaluation), evaluation.length));
    bytes_add_u32(out, config->profile);
    bytes_add_u32(out, config->checks);
    bytes_add_u64(out, config->hash_mb);
    bytes_add_u64(out, config->nodes);
    bytes_add_u32(out, (uint32_t)config->depth);
    bytes_add_u32(out, (uint32_t)config->max_moves);
    bytes_add_u32(out, config->is_adjudicated);
}

// The settings as another rank has them.
typedef struct Remote {
    GamesConfig config; // first: what boards are given
    Weights evaluation;
} Remote;

static void close_config(void *self) {
    Remote *remote = self;
    weights_free(&remote->evaluation);
    free(remote);
}

static Status open_config(void **self, StrView context, DistPool *pool) {
    Remote *remote = *self = mem_alloc_zero(1, sizeof *remote);
    GamesConfig *config = &remote->config;
    ByteReader in = {context, false};
    (void)pool;
    chess_init();
    const StrView evaluation = bytes_text(&in);
    if (evaluation.length > 0) {
        TRY(weights_parse(&remote->evaluation, evaluation, "rank 0's evaluation"));
        config->evaluation = &remote->evaluation;
    }
    config->profile = (Profile)bytes_u32(&in);
    config->checks = bytes_u32(&in) != 0;
    config->hash_mb = bytes_u64(&in);
    config->nodes = bytes_u64(&in);
    config->depth = (int)bytes_u32(&in);
    config->max_moves = (int)bytes_u32(&in);
    config->is_adjudicated = bytes_u32(&in) != 0;
    return bytes_are_done(&in) && config->profile < PROFILE_NB
               ? OK
               : error_set(ERR_PARSE, "malformed settings of games");
}

const DistService games_service = {.name = "organisms",
                                   .pack = pack_config,
                                   .open = open_config,
                                   .close = close_config,
                                   .begin = begin_board,
                                   .answer = play_game,
                                   .end = end_board};

// --- all of them ---

// A game as bytes: the family, the numbers of both organisms, the position.
static DistNext pack_game(void *context, uint64_t number, Str *out) {
    const Round *round = context;
    const GameTask *task = &round->tasks[number];
    const Weights *players[COLOR_NB] = {&round->organisms[task->white],
                                        &round->organisms[task->black]};
    const Family *family = players[WHITE]->family;
    char fen[FEN_SIZE];
    bytes_add_string(out, family->name);
    for (int c = 0; c < COLOR_NB; c++)
        for (size_t i = 0; i < family->term_count; i++)
            bytes_add_u32(out, (uint32_t)players[c]->parameters[i]);
    fen_write(&task->start, fen);
    bytes_add_string(out, fen);
    return DIST_JOB;
}

static Status take_result(void *context, uint64_t number, StrView answer) {
    const Round *round = context;
    ByteReader in = {answer, false};
    const unsigned half_points = bytes_u8(&in), plies = bytes_u32(&in);
    if (in.failed || half_points > 2 || in.rest.length != plies * sizeof(uint32_t))
        return error_set(ERR_PARSE, "malformed result");
    round->scores[number] = (GameScore){half_points, plies};
    if (round->moves == NULL)
        return OK;
    GameMoves *game = &round->moves[number];
    *game = (GameMoves){mem_alloc((plies + 1) * sizeof *game->moves), plies};
    for (size_t i = 0; i < plies; i++)
        game->moves[i] = (Move)bytes_u32(&in);
    return OK;
}

static Status open_workers(Games *games) {
    const DistWorkersConfig workers = {.service = &games_service,
                                       .self = &games->config,
                                       .threads = dist_pool_threads(games->pool),
                                       .ranks = dist_pool_ranks(games->pool),
                                       .rank_threads = dist_pool_rank_threads(games->pool),
                                       .cancel_fd = -1};
    return dist_workers_open(&games->workers, &workers);
}

Status games_play(Games *games, const Weights *organisms, const GameTask *tasks, size_t count,
                  GameScore *scores, GameMoves *moves) {
    Round round = {organisms, tasks, scores, moves};
    const DistJobs jobs = {.context = &round,
                           .order = DIST_AS_THEY_COME,
                           .count = count,
                           .next = pack_game,
                           .done = take_result};
    if (games->workers == NULL)
        TRY(open_workers(games));
    return dist_workers_run(games->workers, &jobs);
}
