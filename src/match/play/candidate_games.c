// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/candidate_games.h"

#include "base/cancel.h"
#include "base/mem.h"
#include "dist/spread.h"
#include "match/play/candidate_boards.h"
#include "match/play/game_bytes.h"

#include <pthread.h>
#include <stdlib.h>

enum { CRASHES_MAX = 32 }; // in a row without a move: it is not the options

struct CandidateGames {
    CandidateConfig config;
    CandidateRules rules;
    DistPool *pool;
    CandidateBoards *boards; // one for each thread
    DistRemote *remote;      // of other ranks
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

static Status open_remote(CandidateGames *games) {
    Str context = {0};
    if (games->config.ranks == NULL)
        return OK;
    candidate_rules_pack(&games->rules, &context);
    const DistRemoteConfig setup = {.service = candidate_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .threads = games->config.concurrency,
                                    .may_hang = true};
    Status status = dist_remote_open(&games->remote, games->config.ranks, &setup);
    if (status == OK)
        status = dist_remote_wait(games->remote, 0);
    str_free(&context);
    return status;
}

Status candidate_games_open(CandidateGames **out, const CandidateConfig *config) {
    CandidateGames *games = mem_alloc_zero(1, sizeof *games);
    games->config = *config;
    games->rules = (CandidateRules){config->spec, config->rules, config->cap_ms};
    games->pool = dist_pool_new(config->concurrency);
    Status status = candidate_boards_open(&games->boards, &games->rules, config->concurrency);
    if (status == OK)
        status = open_remote(games);
    if (status == OK)
        *out = games;
    else
        candidate_games_close(games);
    return status;
}

void candidate_games_close(CandidateGames *games) {
    if (games == NULL)
        return;
    dist_remote_close(games->remote);
    // Before the threads end.
    candidate_boards_close(games->boards);
    dist_pool_free(games->pool);
    free(games);
}

static Status refuse_hopeless(CandidateGames *games, const GameRecord *record) {
    const bool is_crash = record->fault == FAULT_CRASHED && record->count < COLOR_NB;
    games->crashes = is_crash ? games->crashes + 1 : 0;
    if (record->fault == FAULT_REFUSED || games->crashes >= CRASHES_MAX)
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

static bool is_stopping(Batch *batch) {
    pthread_mutex_lock(&batch->lock);
    batch->is_stopping = batch->is_stopping || cancel_is_told(batch->games->config.stop_fd);
    const bool is_stopping = batch->is_stopping;
    pthread_mutex_unlock(&batch->lock);
    return is_stopping;
}

static Status end_game(Batch *batch, size_t index) {
    pthread_mutex_lock(&batch->lock);
    batch->is_done[index] = true;
    const Status status = tell_in_order(batch);
    batch->is_stopping = batch->is_stopping || status != OK;
    pthread_mutex_unlock(&batch->lock);
    return status;
}

// What a game is played with; false when no more are begun.
static bool begin_game(Batch *batch, size_t index, Opening *opening, CandidateSides *sides) {
    const CandidateGame *game = &batch->list[index];
    if (is_stopping(batch))
        return false;
    *sides = (CandidateSides){{game->options[WHITE], game->options[BLACK]}, game->option_count};
    openings_at(batch->games->config.openings, game->opening, opening);
    return true;
}

static Status play_one(void *context, size_t index, int worker) {
    Batch *batch = context;
    CandidateSides sides;
    Opening opening;
    if (!begin_game(batch, index, &opening, &sides))
        return OK;
    candidate_boards_play(batch->games->boards, worker, &opening, &sides, &batch->records[index]);
    return end_game(batch, index);
}

// --- the same on another rank ---

static bool pack_one(void *context, size_t index, Str *out) {
    CandidateSides sides;
    Opening opening;
    if (!begin_game(context, index, &opening, &sides))
        return false;
    candidate_game_pack(&opening, &sides, out);
    return true;
}

static Status unpack_one(void *context, size_t index, StrView answer) {
    Batch *batch = context;
    ByteReader in = {.rest = answer};
    game_record_unpack(&in, &batch->records[index]);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "what came back is no game");
    return end_game(batch, index);
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
    const DistJobs jobs = {&batch, play_one, pack_one, unpack_one};
    const Status status = dist_spread_jobs(games->remote, games->pool, count, &jobs);
    for (size_t i = 0; i < count; i++)
        game_record_deinit(&batch.records[i]);
    free(batch.records);
    free(batch.is_done);
    *ended = batch.next;
    return status;
}
