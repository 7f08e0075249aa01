// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/candidate_games.h"

#include "base/descriptors.h"
#include "base/mem.h"
#include "dist/pool.h"
#include "match/player_uci.h"
#include "match/table.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    CRASHES_MAX = 32,            // in a row without a move: it is not the options
    DESCRIPTORS_OF_ENGINE = 8,   // pipes on both sides while it is started, and more
    DESCRIPTORS_OTHERWISE = 100, // of files, terminals, libraries
};

struct CandidateGames {
    CandidateConfig config;
    DistPool *pool;
    Player (*players)[COLOR_NB]; // of each thread
    int crashes;
};

typedef struct Batch {
    CandidateGames *games;
    const CandidateGame *list;
    CandidateEnd on_end;
    void *context;
    pthread_mutex_t lock; // guards everything below
    GameRecord *records;
    bool *is_done;
    size_t count, next; // `next` is to be told of
    bool is_stopping;
} Batch;

Status candidate_games_open(CandidateGames **out, const CandidateConfig *config) {
    const uint64_t engines = (uint64_t)config->concurrency * COLOR_NB;
    Status status = descriptors_check(engines * DESCRIPTORS_OF_ENGINE + DESCRIPTORS_OTHERWISE);
    if (status != OK)
        return status;
    CandidateGames *games = mem_alloc_zero(1, sizeof *games);
    games->config = *config;
    games->pool = dist_pool_new(config->concurrency);
    games->players = mem_alloc_zero((size_t)config->concurrency, sizeof *games->players);
    for (int i = 0; i < config->concurrency; i++)
        for (int c = 0; c < COLOR_NB; c++)
            games->players[i][c] = player_uci_create(config->spec, -1);
    *out = games;
    return OK;
}

void candidate_games_close(CandidateGames *games) {
    if (games == NULL)
        return;
    // Before the threads end: an engine ends with the thread that started it.
    for (int i = 0; i < games->config.concurrency; i++)
        for (int c = 0; c < COLOR_NB; c++)
            games->players[i][c].ops->close(games->players[i][c].self);
    dist_pool_free(games->pool);
    free(games->players);
    free(games);
}

static bool is_told_to_stop(const CandidateConfig *config) {
    struct pollfd fd = {.fd = config->stop_fd, .events = POLLIN};
    return config->stop_fd >= 0 && poll(&fd, 1, 0) > 0;
}

static void play_game(CandidateGames *games, const CandidateGame *game, int worker,
                      GameRecord *out) {
    const CandidateConfig *config = &games->config;
    const EngineSpec *spec = config->spec;
    Player *players = games->players[worker];
    Opening opening;
    openings_at(config->openings, game->opening, &opening);
    GameConfig setup = {.start = opening.start,
                        .opening = opening.moves,
                        .opening_count = opening.count,
                        .rules = config->rules,
                        .cap_ms = config->cap_ms};
    table_sides(spec, spec, setup.sides);
    for (int c = 0; c < COLOR_NB; c++)
        player_uci_set_options(&players[c], game->options[c], game->option_count);
    game_play(&setup, &players[WHITE], &players[BLACK], out);
}

static Status refuse_hopeless(CandidateGames *games, const GameRecord *record) {
    const bool is_crash = record->ending == ENDING_CRASHED && record->count < COLOR_NB;
    games->crashes = is_crash ? games->crashes + 1 : 0;
    if (record->is_refused || games->crashes >= CRASHES_MAX)
        return error_set(ERR_ENGINE, "%s", record->detail);
    return OK;
}

// Tells of games that are done, as far as no earlier one is missing.
static Status tell_in_order(Batch *batch) {
    Status status = OK;
    while (batch->next < batch->count && batch->is_done[batch->next] && status == OK) {
        GameRecord *record = &batch->records[batch->next];
        status = refuse_hopeless(batch->games, record);
        if (status == OK)
            status = batch->on_end(batch->context, batch->next++, record);
    }
    return status;
}

static Status play_one(void *context, size_t index, int worker) {
    Batch *batch = context;
    pthread_mutex_lock(&batch->lock);
    batch->is_stopping = batch->is_stopping || is_told_to_stop(&batch->games->config);
    const bool is_stopping = batch->is_stopping;
    pthread_mutex_unlock(&batch->lock);
    if (is_stopping)
        return OK;
    play_game(batch->games, &batch->list[index], worker, &batch->records[index]);
    pthread_mutex_lock(&batch->lock);
    batch->is_done[index] = true;
    const Status status = tell_in_order(batch);
    batch->is_stopping = batch->is_stopping || status != OK;
    pthread_mutex_unlock(&batch->lock);
    return status;
}

Status candidate_games_play(CandidateGames *games, const CandidateGame *list, size_t count,
                            CandidateEnd on_end, void *context, size_t *ended) {
    Batch batch = {.games = games,
                   .list = list,
                   .on_end = on_end,
                   .context = context,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .records = mem_alloc_zero(count, sizeof *batch.records),
                   .is_done = mem_alloc_zero(count, sizeof *batch.is_done),
                   .count = count};
    const Status status = dist_pool_run(games->pool, count, play_one, &batch);
    for (size_t i = 0; i < count; i++)
        game_record_deinit(&batch.records[i]);
    free(batch.records);
    free(batch.is_done);
    *ended = batch.next;
    return status;
}
