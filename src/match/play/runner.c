// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/runner.h"

#include "base/cancel.h"
#include "base/mem.h"
#include "dist/pool.h"
#include "match/play/away.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum {
    CRASHES_MAX = 5, // in a row without a move: there is no point in going on
    MESSAGE_SIZE = 512,
    AHEAD_MAX = 16, // games per table that may wait for an earlier one to end
};

// A game that has ended before one that was begun earlier.
typedef struct Finished {
    MatchGame game;
    GameRecord record;
} Finished;

struct Match {
    const MatchConfig *config;
    const MatchEvents *events;
    Roster roster;
    TableRules rules;
    Away *away;               // NULL: all is played here
    MatchGame *away_games;    // owned; what is played at each table there
    DistPool *pool;           // whose threads play here
    int stop_fd, cancel_fd;   // ours, and either ours or the caller's
    pthread_mutex_t lock;     // guards everything below, and the events
    pthread_cond_t has_ended; // a game, or the match
    Schedule *schedule;
    Tally tally;
    uint64_t started; // games; those told are in the tally
    bool has_peeked;  // at the next game, which the schedule has given out
    MatchGame peeked;
    Finished *waiting; // owned
    size_t waiting_count, waiting_capacity;
    uint64_t here_count; // games that were played here, and how long they took
    int64_t here_ns;
    bool is_stopping;
    bool is_exhausted; // the schedule has no further game
    bool is_over;
    Status status;
    char message[MESSAGE_SIZE];
    int *crashes; // owned; of each engine, in a row, before a first move
};

// --- the match ---

Match *match_new(const MatchConfig *config) {
    Match *match = mem_alloc_zero(1, sizeof *match);
    match->config = config;
    match->stop_fd = match->cancel_fd = -1;
    pthread_mutex_init(&match->lock, NULL);
    pthread_cond_init(&match->has_ended, NULL);
    match->schedule = schedule_new(&config->schedule);
    match->crashes = mem_alloc_zero((size_t)config->schedule.players, sizeof *match->crashes);
    tally_init(&match->tally, config->schedule.players);
    return match;
}

void match_free(Match *match) {
    if (match == NULL)
        return;
    pthread_cond_destroy(&match->has_ended);
    pthread_mutex_destroy(&match->lock);
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

void match_sides(const MatchConfig *config, const MatchGame *game, GameSide out[COLOR_NB]) {
    table_sides(&config->engines[game->white], &config->engines[game->black], out);
}

uint64_t match_descriptors(const MatchConfig *config) {
    return table_descriptors((size_t)config->schedule.players, config->concurrency);
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

static void stop(Match *match) {
    match->is_stopping = true;
    pthread_cond_broadcast(&match->has_ended);
    cancel_tell(match->stop_fd);
}

static void stop_failed(Match *match, const char *message) {
    if (match->status == OK) {
        match->status = ERR_ENGINE;
        snprintf(match->message, MESSAGE_SIZE, "%s", message);
    }
    stop(match);
}

static void report_in_order(Match *match) {
    for (size_t i = 0; i < match->waiting_count && !match->is_over;) {
        if (match->waiting[i].game.index != match->tally.played) {
            i++;
            continue;
        }
        Finished finished = match->waiting[i];
        match->waiting[i] = match->waiting[--match->waiting_count];
        count_game(match, &finished.game, finished.record.result, finished.record.fault);
        match->events->on_end(match->events->context, &finished.game, &finished.record,
                              &match->tally);
        game_record_deinit(&finished.record);
        i = 0;
    }
    if (match->is_over)
        stop(match);
}

// An engine that cannot play at all, or always crashes before its first move, ends the match.
static void watch_for_hopeless(Match *match, const MatchGame *game, const GameRecord *record) {
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
            stop_failed(match, record->detail);
    }
    // Such a game does not count, so that no later one could either.
    if (record->fault == FAULT_REFUSED)
        stop_failed(match, record->detail);
}

static void finish_game(Match *match, const MatchGame *game, GameRecord *record) {
    pthread_mutex_lock(&match->lock);
    if (record->fault == FAULT_CANCELLED)
        stop(match);
    else
        watch_for_hopeless(match, game, record);
    if (record->fault == FAULT_CANCELLED || record->fault == FAULT_REFUSED || match->is_over) {
        game_record_deinit(record);
    } else {
        match->waiting = mem_grow(match->waiting, &match->waiting_capacity,
                                  match->waiting_count + 1, sizeof *match->waiting);
        match->waiting[match->waiting_count++] = (Finished){*game, *record};
        report_in_order(match);
        pthread_cond_broadcast(&match->has_ended);
    }
    pthread_mutex_unlock(&match->lock);
}

// The next game, if it is known yet and not too far ahead of the first that has not ended. With the
// lock held.
static ScheduleStep begin_game(Match *match, MatchGame *out) {
    uint64_t tables = (uint64_t)match->config->concurrency + (uint64_t)away_tables(match->away);
    ScheduleStep step = SCHEDULE_WAIT;
    if (match->is_stopping)
        return SCHEDULE_DONE;
    if (match->started - match->tally.played < AHEAD_MAX * tables)
        step = next_game(match, out);
    match->is_exhausted = match->is_exhausted || step == SCHEDULE_DONE;
    if (step == SCHEDULE_GAME) {
        match->started++;
        match->events->on_start(match->events->context, out, match_total(match));
    }
    return step;
}

// Waits for the next game; false when there is none.
static bool take_game(Match *match, MatchGame *out) {
    ScheduleStep step;
    pthread_mutex_lock(&match->lock);
    while ((step = begin_game(match, out)) == SCHEDULE_WAIT)
        pthread_cond_wait(&match->has_ended, &match->lock);
    pthread_mutex_unlock(&match->lock);
    return step == SCHEDULE_GAME;
}

// --- the tables ---

static void describe_game(const Match *match, const MatchGame *game, TableGame *out) {
    const Openings *openings = match->config->openings;
    out->white = game->white;
    out->black = game->black;
    if (openings != NULL) {
        openings_at(openings, game->opening, &out->opening);
    } else {
        position_set_start(&out->opening.start);
        out->opening.count = 0;
    }
}

static void end_game(Match *match, const MatchGame *game, Status status, GameRecord *record) {
    if (status == OK) {
        finish_game(match, game, record);
        return;
    }
    pthread_mutex_lock(&match->lock);
    stop_failed(match, error_message());
    pthread_mutex_unlock(&match->lock);
}

static void count_time(Match *match, int64_t elapsed_ns) {
    pthread_mutex_lock(&match->lock);
    match->here_count++;
    match->here_ns += elapsed_ns;
    pthread_mutex_unlock(&match->lock);
}

// One job of the pool: a table at which games are played until there are none left.
static Status play_games(void *context, size_t index, int worker) {
    (void)index;
    (void)worker;
    Match *match = context;
    Table *table = table_new(&match->rules, match->cancel_fd);
    TableGame *what = mem_alloc(sizeof *what);
    MatchGame game;
    while (take_game(match, &game)) {
        GameRecord record;
        describe_game(match, &game, what);
        const Status status = table_play(table, what, &record);
        if (status == OK)
            count_time(match, record.elapsed_ns);
        end_game(match, &game, status, &record);
    }
    table_free(table);
    free(what);
    return OK;
}

// --- tables elsewhere ---

static bool take_away(void *context, int table, TableGame *out) {
    Match *match = context;
    MatchGame *game = &match->away_games[table];
    pthread_mutex_lock(&match->lock);
    const bool has_game = begin_game(match, game) == SCHEDULE_GAME;
    pthread_mutex_unlock(&match->lock);
    if (has_game)
        describe_game(match, game, out);
    return has_game;
}

static void end_away(void *context, int table, Status status, GameRecord *record) {
    Match *match = context;
    end_game(match, &match->away_games[table], status, record);
}

// Players here see for themselves that the user wants to stop, but perhaps none is playing.
static bool is_stopping(void *context) {
    Match *match = context;
    const bool is_told = cancel_is_told(match->config->cancel_fd);
    pthread_mutex_lock(&match->lock);
    if (is_told && !match->is_stopping)
        stop(match);
    const bool is = match->is_stopping;
    pthread_mutex_unlock(&match->lock);
    return is;
}

static bool is_away_over(void *context) {
    const Match *match = context;
    return !dist_pool_is_busy(match->pool);
}

// Players wait for one descriptor; it becomes readable when either of two does.
static Status open_cancel(Match *match) {
    const Status status = cancel_open(&match->stop_fd);
    if (status != OK)
        return status;
    match->cancel_fd = epoll_create1(EPOLL_CLOEXEC);
    int sources[] = {match->stop_fd, match->config->cancel_fd};
    bool is_fine = match->cancel_fd >= 0;
    for (int i = 0; i < 2 && is_fine; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        is_fine =
            sources[i] < 0 || epoll_ctl(match->cancel_fd, EPOLL_CTL_ADD, sources[i], &event) == 0;
    }
    return is_fine ? OK : error_set(ERR_IO, "cannot watch for signals: %m");
}

static void close_cancel(Match *match) {
    cancel_close(match->cancel_fd);
    cancel_close(match->stop_fd);
}

// Tables here end when there is no more game; then there is none elsewhere either.
static Status play_here_and_away(Match *match, size_t tables) {
    const AwayHost host = {match, take_away, end_away, is_stopping, is_away_over, (int)tables};
    match->away_games = mem_alloc_zero((size_t)away_tables(match->away), sizeof *match->away_games);
    dist_pool_start(match->pool, tables, play_games, match);
    away_play(match->away, &host);
    const Status status = dist_pool_finish(match->pool);
    away_count(match->away, match->here_count, match->here_ns);
    free(match->away_games);
    return status;
}

static Status play_at_tables(Match *match) {
    uint64_t left = match_total(match) - match->tally.played;
    int want = match->config->concurrency;
    // One even if nothing is known to be left: an even knock-out match may have to go on.
    int tables = left == 0 ? 1 : (uint64_t)want > left ? (int)left : want;
    match->pool = dist_pool_new(tables);
    Status status = match->away == NULL
                        ? dist_pool_run(match->pool, (size_t)tables, play_games, match)
                        : play_here_and_away(match, (size_t)tables);
    dist_pool_free(match->pool);
    return status;
}

static Status play_all(Match *match) {
    const MatchConfig *config = match->config;
    match->rules = (TableRules){&match->roster, config->rules, config->cap_ms, config->concurrency};
    Status status = roster_open(&match->roster, config->engines, (size_t)config->schedule.players);
    if (status == OK)
        status = away_open(&match->away, config->ranks, &match->rules, config->concurrency);
    if (status == OK)
        status = play_at_tables(match);
    away_close(match->away);
    roster_close(&match->roster);
    return status;
}

Status match_play(Match *match, const MatchEvents *events) {
    match->events = events;
    Status status = open_cancel(match);
    if (status == OK && !match->is_over)
        status = play_all(match);
    close_cancel(match);
    for (size_t i = 0; i < match->waiting_count; i++)
        game_record_deinit(&match->waiting[i].record);
    free(match->waiting);
    match->waiting = NULL;
    match->waiting_count = match->waiting_capacity = 0;
    if (match->status != OK)
        return error_set(match->status, "%s", match->message);
    bool is_all_played = match->is_exhausted && match->tally.played == match->started;
    match->is_over = match->is_over || is_all_played;
    return status;
}
