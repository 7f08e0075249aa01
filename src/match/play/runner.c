// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/runner.h"

#include "base/mem.h"
#include "dist/workers.h"
#include "match/play/live_games.h"
#include "match/play/match_worker.h"

#include <stdlib.h>

enum {
    CRASHES_MAX = 5, // in a row without a move: there is no point in going on
    AHEAD_MAX = 16,  // games per worker that may wait for an earlier one to end
};

struct Match {
    const MatchConfig *config;
    const MatchEvents *events;
    MatchRules rules;
    DistWorkers *workers;
    Schedule *schedule;
    Tally tally;
    uint64_t started; // games; those told are in the tally
    bool has_peeked;  // at the next game, which the schedule has given out
    MatchGame peeked;
    MatchGame *begun; // owned; the game of a job, at its number % ahead_max
    uint64_t ahead_max;
    bool is_exhausted; // the schedule has no further game
    bool is_over;
    int *crashes; // owned; of each engine, in a row, before a first move
};

// --- the match ---

Match *match_new(const MatchConfig *config) {
    Match *match = mem_alloc_zero(1, sizeof *match);
    match->config = config;
    match->schedule = schedule_new(&config->schedule);
    match->crashes = mem_alloc_zero((size_t)config->schedule.players, sizeof *match->crashes);
    tally_init(&match->tally, config->schedule.players);
    return match;
}

void match_free(Match *match) {
    if (match == NULL)
        return;
    schedule_free(match->schedule);
    tally_deinit(&match->tally);
    free(match->crashes);
    free(match);
}

const Tally *match_tally(const Match *match) {
    return &match->tally;
}

uint64_t match_total(const Match *match) {
    return schedule_total(match->schedule);
}

bool match_is_over(const Match *match) {
    return match->is_over;
}

int match_winner(const Match *match) {
    return schedule_winner(match->schedule);
}

SprtState match_sprt(const Match *match) {
    MeetingScore score = tally_meeting(&match->tally, 0, 1);
    return sprt_from_pairs(match->config->sprt, &score.pairs);
}

// --- results, in order ---

// Counts a game and sees whether it was the last that is needed.
static void count_game(Match *match, const MatchGame *game, GameResult result, Fault fault) {
    tally_add(&match->tally, game, result, fault);
    schedule_tell(match->schedule, game, match_white_points(result));
    // Half a pair decides nothing.
    if (match->config->sprt != NULL && game->is_second)
        match->is_over = match_sprt(match).verdict != SPRT_GOES_ON;
}

static ScheduleStep next_game(Match *match, MatchGame *out) {
    if (!match->has_peeked)
        return schedule_next(match->schedule, out);
    match->has_peeked = false;
    *out = match->peeked;
    return SCHEDULE_GAME;
}

bool match_peek(Match *match, MatchGame *out) {
    if (match->is_over || next_game(match, &match->peeked) != SCHEDULE_GAME)
        return false;
    match->has_peeked = true;
    *out = match->peeked;
    return true;
}

bool match_recall(Match *match, MatchGame *out) {
    ScheduleStep step = match->is_over ? SCHEDULE_DONE : next_game(match, out);
    match->started += step == SCHEDULE_GAME;
    return step == SCHEDULE_GAME;
}

void match_recall_result(Match *match, const MatchGame *game, GameResult result, Fault fault) {
    count_game(match, game, result, fault);
}

// --- playing ---

// The next game, if it is known yet and not too far ahead of the first that has not ended.
static DistNext begin_game(void *context, uint64_t number, Str *out) {
    Match *match = context;
    const Openings *openings = match->config->openings;
    MatchGame *game = &match->begun[number % match->ahead_max];
    MatchJob job = {0};
    if (match->started - match->tally.played >= match->ahead_max)
        return DIST_NONE_YET;
    const ScheduleStep step = next_game(match, game);
    match->is_exhausted = match->is_exhausted || step == SCHEDULE_DONE;
    if (step != SCHEDULE_GAME)
        return step == SCHEDULE_DONE ? DIST_NO_MORE : DIST_NONE_YET;
    match->started++;
    match->events->on_start(match->events->context, game, match_total(match));
    job.number = game->index + 1;
    job.white = game->white;
    job.black = game->black;
    if (openings != NULL)
        openings_at(openings, game->opening, &job.opening);
    else
        position_set_start(&job.opening.start);
    match_job_pack(&job, out);
    return DIST_JOB;
}

// An engine that always crashes before its first move ends the match.
static Status refuse_hopeless(Match *match, const MatchGame *game, const GameRecord *record) {
    size_t plies = record->count - record->opening_count;
    Color opener = record->opening_count % 2 == 0 ? position_turn(&record->start)
                                                  : color_other(position_turn(&record->start));
    for (int c = 0; c < COLOR_NB; c++) {
        int engine = c == WHITE ? game->white : game->black;
        bool has_moved = plies > (opener == (Color)c ? 0 : 1);
        bool is_crash = record->fault == FAULT_CRASHED && record->loser == (Color)c;
        if (has_moved)
            match->crashes[engine] = 0;
        else if (is_crash && ++match->crashes[engine] >= CRASHES_MAX)
            return error_set(ERR_ENGINE, "%s", record->detail);
    }
    return OK;
}

static Status end_game(void *context, uint64_t number, StrView answer) {
    Match *match = context;
    const MatchGame *game = &match->begun[number % match->ahead_max];
    CLEANUP(game_record_deinit) GameRecord record = {0};
    if (match->is_over)
        return OK;
    TRY(match_answer_unpack(answer, &record));
    count_game(match, game, record.result, record.fault);
    match->events->on_end(match->events->context, game, &record, &match->tally);
    if (match->is_over)
        dist_workers_stop(match->workers);
    return refuse_hopeless(match, game, &record);
}

// One even if nothing is known to be left: an even knock-out match may have to go on.
static int threads_for(const Match *match) {
    const uint64_t left = match_total(match) - match->tally.played;
    const int want = match->config->concurrency;
    return left == 0 ? 1 : (uint64_t)want > left ? (int)left : want;
}

static Status play_all(Match *match) {
    const MatchConfig *config = match->config;
    match->rules = (MatchRules){.adjudication = config->rules,
                                .cap_ms = config->cap_ms,
                                .wait_ms = config->wait_ms,
                                .workers = config->concurrency};
    TRY(engine_set_open(&match->rules.engines, config->engines, (size_t)config->schedule.players));
    const DistWorkersConfig workers = {.service = &match_service,
                                       .self = &match->rules,
                                       .threads = threads_for(match),
                                       .ranks = config->ranks,
                                       .rank_threads = config->concurrency,
                                       .cancel_fd = config->cancel_fd};
    const DistJobs jobs = {.context = match,
                           .order = DIST_IN_ORDER,
                           .count = DIST_COUNT_UNKNOWN,
                           .next = begin_game,
                           .done = end_game};
    TRY(dist_workers_open(&match->workers, &workers));
    match->ahead_max = AHEAD_MAX * (uint64_t)dist_workers_count(match->workers);
    match->begun = mem_alloc_zero(match->ahead_max, sizeof *match->begun);
    if (config->live_folder != NULL)
        match->rules.live = live_games_start(config->live_folder);
    const Status status = dist_workers_run(match->workers, &jobs);
    dist_workers_close(match->workers);
    live_games_stop(match->rules.live);
    free(match->begun);
    return status;
}

Status match_play(Match *match, const MatchEvents *events) {
    match->events = events;
    const Status status = match->is_over ? OK : play_all(match);
    match_rules_free(&match->rules);
    const bool is_all_played = match->is_exhausted && match->tally.played == match->started;
    match->is_over = match->is_over || (status == OK && is_all_played);
    return status;
}
