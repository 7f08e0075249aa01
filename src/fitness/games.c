// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/games.h"

#include "base/mem.h"
#include "match/player_organism.h"

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
    Board *boards; // one per thread
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
    free(games->boards);
    free(games);
}

static void seat_players(Board *board, const GamesConfig *config, const Weights *white,
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

static Status play_one(void *context, size_t index, int worker) {
    const Round *round = context;
    const GamesConfig *config = &round->games->config;
    const GameTask *task = &round->tasks[index];
    Board *board = &round->games->boards[worker];
    const GameSide side = {.limits = {.nodes = config->nodes, .depth = config->depth}};
    const GameConfig game = {.start = task->start,
                             .sides = {side, side},
                             .rules = {.max_moves = config->max_moves},
                             .cap_ms = cap_ms};
    GameRecord record;
    seat_players(board, config, &round->organisms[task->white], &round->organisms[task->black]);
    game_play(&game, &board->players[WHITE], &board->players[BLACK], &record);
    // Organisms make no mistakes of this kind: it would be one of ours.
    const Status status = record.detail[0] == '\0'
                              ? OK
                              : error_set(ERR_ENGINE, "a game broke off: %s", record.detail);
    round->half_points[index] = white_half_points(record.result);
    game_record_deinit(&record);
    return status;
}

Status games_play(Games *games, const Weights *organisms, const GameTask *tasks, size_t count,
                  unsigned *half_points) {
    Round round = {games, organisms, tasks, half_points};
    return dist_pool_run(games->pool, count, play_one, &round);
}
