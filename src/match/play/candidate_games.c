// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/candidate_games.h"

#include "base/cancel.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "dist/workers.h"
#include "match/play/match_worker.h"

#include <stdlib.h>

enum { CRASHES_MAX = 32 }; // in a row without a move: it is not the options

struct CandidateGames {
    CandidateConfig config;
    EngineSpec sides[COLOR_NB]; // two players of the same engine; borrowed
    MatchRules rules;
    DistWorkers *workers;
    int crashes;
};

typedef struct Batch {
    CandidateGames *games;
    const CandidateGame *list;
    CandidateEnd on_end;
    void *context;
    size_t ended;
} Batch;

static Status open_workers(CandidateGames *games) {
    const CandidateConfig *config = &games->config;
    TRY(descriptors_check(match_worker_descriptors(COLOR_NB, config->concurrency)));
    TRY(engine_set_open(&games->rules.engines, games->sides, COLOR_NB));
    const DistWorkersConfig workers = {.service = &match_service,
                                       .self = &games->rules,
                                       .threads = config->concurrency,
                                       .ranks = config->ranks,
                                       .rank_threads = config->concurrency,
                                       .may_hang = true,
                                       .cancel_fd = -1};
    return dist_workers_open(&games->workers, &workers);
}

Status candidate_games_open(CandidateGames **out, const CandidateConfig *config) {
    CandidateGames *games = mem_alloc_zero(1, sizeof *games);
    games->config = *config;
    games->sides[WHITE] = games->sides[BLACK] = *config->spec;
    games->rules = (MatchRules){
        .adjudication = config->rules, .cap_ms = config->cap_ms, .workers = config->concurrency};
    const Status status = open_workers(games);
    if (status == OK)
        *out = games;
    else
        candidate_games_close(games);
    return status;
}

void candidate_games_close(CandidateGames *games) {
    if (games == NULL)
        return;
    dist_workers_close(games->workers);
    match_rules_free(&games->rules);
    free(games);
}

static DistNext begin_game(void *context, uint64_t number, Str *out) {
    const Batch *batch = context;
    const CandidateGame *game = &batch->list[number];
    MatchJob job = {.white = WHITE,
                    .black = BLACK,
                    .options = {game->options[WHITE], game->options[BLACK]},
                    .option_count = game->option_count};
    if (cancel_is_requested(batch->games->config.stop_fd))
        return DIST_NO_MORE;
    openings_at(batch->games->config.openings, game->opening, &job.opening);
    match_job_pack(&job, out);
    return DIST_JOB;
}

static Status end_game(void *context, uint64_t number, StrView answer) {
    Batch *batch = context;
    CLEANUP(game_record_deinit) GameRecord record = {0};
    TRY(match_answer_unpack(answer, &record));
    const bool is_crash = record.fault == FAULT_CRASHED && record.count < COLOR_NB;
    batch->games->crashes = is_crash ? batch->games->crashes + 1 : 0;
    if (batch->games->crashes >= CRASHES_MAX)
        return error_set(ERR_ENGINE, "%s", record.detail);
    batch->ended = number + 1;
    return batch->on_end(batch->context, number, &record);
}

Status candidate_games_play(CandidateGames *games, const CandidateGame *list, size_t count,
                            CandidateEnd on_end, void *context, size_t *ended) {
    Batch batch = {games, list, on_end, context, 0};
    const DistJobs jobs = {.context = &batch,
                           .order = DIST_IN_ORDER,
                           .count = count,
                           .next = begin_game,
                           .done = end_game};
    const Status status = dist_workers_run(games->workers, &jobs);
    *ended = batch.ended;
    return status;
}
