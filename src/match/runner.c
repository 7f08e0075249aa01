// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/runner.h"

#include "base/mem.h"
#include "dist/pool.h"
#include "match/player_create.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    MARGIN_CLOCK_MS = 10, // how late a move may come, unless the engine's description says it
    MARGIN_MOVE_MS = 50,
    CRASHES_MAX = 5, // in a row without a move: there is no point in going on
    MESSAGE_SIZE = 512,
    AHEAD_MAX = 16,             // games per thread that may wait for an earlier one to end
    SEATS_ALL = 64,             // engines running at a time that are kept even when not playing
    DESCRIPTORS_PER_ENGINE = 4, // two pipes, the process, and how long we wait for a processor
    DESCRIPTORS_TO_START = 6,   // while one is being started
    DESCRIPTORS_OTHERS = 64,
};

// A game that has ended before one that was begun earlier.
typedef struct Finished {
    MatchGame game;
    GameRecord record;
} Finished;

struct Match {
    const MatchConfig *config;
    const MatchEvents *events;
    int stop_fd, cancel_fd;   // ours, and either ours or the caller's
    pthread_mutex_t lock;     // guards everything below, and the events
    pthread_cond_t has_ended; // a game, or the match
    Schedule *schedule;
    Tally tally;
    uint64_t started;  // games; those told are in the tally
    Finished *waiting; // owned
    size_t waiting_count, waiting_capacity;
    bool is_stopping;
    bool is_exhausted; // the schedule has no further game
    bool is_over;
    Status status;
    char message[MESSAGE_SIZE];
    int *crashes; // owned; of each engine, in a row, before a first move
};

// A running engine of a thread.
typedef struct Seat {
    int engine; // -1: empty
    Player player;
    uint64_t last_used;
} Seat;

typedef struct Table {
    Match *match;
    Seat *seats; // owned
    int seat_count;
    uint64_t games;
    Opening opening;
} Table;

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
    for (int c = 0; c < COLOR_NB; c++) {
        const EngineSpec *spec = &config->engines[c == WHITE ? game->white : game->black];
        int margin = spec->limits.move_ms > 0 ? MARGIN_MOVE_MS : MARGIN_CLOCK_MS;
        out[c] = (GameSide){spec->limits, spec->margin_ms < 0 ? margin : spec->margin_ms};
    }
}

// With few engines in all, every thread keeps its own of each; else only those that play.
static int seats_of(const MatchConfig *config) {
    int players = config->schedule.players;
    return players * config->concurrency <= SEATS_ALL ? players : 2;
}

uint64_t match_descriptors(const MatchConfig *config) {
    uint64_t each = (uint64_t)seats_of(config) * DESCRIPTORS_PER_ENGINE + DESCRIPTORS_TO_START;
    return (uint64_t)config->concurrency * each + DESCRIPTORS_OTHERS;
}

// --- results, in order ---

// Counts a game and sees whether it was the last that is needed.
static void count_game(Match *match, const MatchGame *game, GameResult result, Ending ending) {
    tally_add(&match->tally, game, result, ending);
    schedule_tell(match->schedule, game, match_white_points(result));
    // Half a pair decides nothing.
    if (match->config->sprt != NULL && game->is_second)
        match->is_over = match_sprt(match).verdict != SPRT_GOES_ON;
}

bool match_recall(Match *match, MatchGame *out) {
    ScheduleStep step = match->is_over ? SCHEDULE_DONE : schedule_next(match->schedule, out);
    match->started += step == SCHEDULE_GAME;
    return step == SCHEDULE_GAME;
}

void match_recall_result(Match *match, const MatchGame *game, GameResult result, Ending ending) {
    count_game(match, game, result, ending);
}

static void stop(Match *match) {
    match->is_stopping = true;
    pthread_cond_broadcast(&match->has_ended);
    (void)eventfd_write(match->stop_fd, 1);
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
        count_game(match, &finished.game, finished.record.result, finished.record.ending);
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
        bool is_crash = record->ending == ENDING_CRASHED && record->loser == (Color)c;
        if (has_moved)
            match->crashes[engine] = 0;
        else if (is_crash && ++match->crashes[engine] >= CRASHES_MAX)
            stop_failed(match, record->detail);
    }
    // Such a game does not count, so that no later one could either.
    if (record->is_refused)
        stop_failed(match, record->detail);
}

static void finish_game(Match *match, const MatchGame *game, GameRecord *record) {
    pthread_mutex_lock(&match->lock);
    if (record->ending == ENDING_CANCELLED)
        stop(match);
    else
        watch_for_hopeless(match, game, record);
    if (record->ending == ENDING_CANCELLED || record->is_refused || match->is_over) {
        game_record_deinit(record);
    } else {
        match->waiting = vec_grow(match->waiting, &match->waiting_capacity,
                                  match->waiting_count + 1, sizeof *match->waiting);
        match->waiting[match->waiting_count++] = (Finished){*game, *record};
        report_in_order(match);
        pthread_cond_broadcast(&match->has_ended);
    }
    pthread_mutex_unlock(&match->lock);
}

// The next game, once it is known and not too far ahead of the first that has not ended. False when
// there is none.
static bool take_game(Match *match, MatchGame *out) {
    pthread_mutex_lock(&match->lock);
    uint64_t ahead_max = (uint64_t)AHEAD_MAX * (uint64_t)match->config->concurrency;
    ScheduleStep step = SCHEDULE_WAIT;
    while (!match->is_stopping) {
        if (match->started - match->tally.played < ahead_max)
            step = schedule_next(match->schedule, out);
        if (step != SCHEDULE_WAIT)
            break;
        pthread_cond_wait(&match->has_ended, &match->lock);
    }
    match->is_exhausted = match->is_exhausted || step == SCHEDULE_DONE;
    bool has_game = !match->is_stopping && step == SCHEDULE_GAME;
    if (has_game) {
        match->started++;
        match->events->on_start(match->events->context, out, match_total(match));
    }
    pthread_mutex_unlock(&match->lock);
    return has_game;
}

// --- the threads ---

static void leave_seat(Seat *seat) {
    if (seat->engine >= 0)
        seat->player.ops->close(seat->player.self);
    seat->engine = -1;
}

// The engine's player at this table; somebody who is not in the game gives way where all seats are
// taken. NULL, with the reason, when it cannot be.
static const Player *seat_player(Table *table, int engine, int opponent) {
    Seat *seat = NULL;
    for (int i = 0; i < table->seat_count; i++) {
        Seat *other = &table->seats[i];
        bool is_free = other->engine != opponent;
        if (other->engine == engine) {
            other->last_used = ++table->games;
            return &other->player;
        }
        if (is_free && (seat == NULL || other->last_used < seat->last_used))
            seat = other;
    }
    leave_seat(seat);
    const MatchConfig *config = table->match->config;
    if (player_create(&seat->player, &config->engines[engine], table->match->cancel_fd) != OK)
        return NULL;
    seat->engine = engine;
    seat->last_used = ++table->games;
    return &seat->player;
}

static void play_game(Table *table, const MatchGame *game) {
    Match *match = table->match;
    const MatchConfig *config = match->config;
    GameConfig setup = {.rules = config->rules, .cap_ms = config->cap_ms};
    const Player *white = seat_player(table, game->white, game->black);
    const Player *black = white == NULL ? NULL : seat_player(table, game->black, game->white);
    if (black == NULL) {
        pthread_mutex_lock(&match->lock);
        stop_failed(match, error_message());
        pthread_mutex_unlock(&match->lock);
        return;
    }
    if (config->openings == NULL) {
        position_set_start(&setup.start);
    } else {
        openings_at(config->openings, game->opening, &table->opening);
        setup.start = table->opening.start;
        setup.opening = table->opening.moves;
        setup.opening_count = table->opening.count;
    }
    match_sides(config, game, setup.sides);
    GameRecord record;
    game_play(&setup, white, black, &record);
    finish_game(match, game, &record);
}

// One job of the pool: a table at which games are played until there are none left.
static Status play_games(void *context, size_t index, int worker) {
    (void)index;
    (void)worker;
    Match *match = context;
    Table *table = mem_alloc_zero(1, sizeof *table);
    table->match = match;
    table->seat_count = seats_of(match->config);
    table->seats = mem_alloc_zero((size_t)table->seat_count, sizeof *table->seats);
    for (int i = 0; i < table->seat_count; i++)
        table->seats[i].engine = -1;
    MatchGame game;
    while (take_game(match, &game))
        play_game(table, &game);
    for (int i = 0; i < table->seat_count; i++)
        leave_seat(&table->seats[i]);
    free(table->seats);
    free(table);
    return OK;
}

// Players wait for one descriptor; it becomes readable when either of two does.
static Status open_cancel(Match *match) {
    match->stop_fd = eventfd(0, EFD_CLOEXEC);
    match->cancel_fd = epoll_create1(EPOLL_CLOEXEC);
    int sources[] = {match->stop_fd, match->config->cancel_fd};
    bool is_fine = match->stop_fd >= 0 && match->cancel_fd >= 0;
    for (int i = 0; i < 2 && is_fine; i++) {
        struct epoll_event event = {.events = EPOLLIN};
        is_fine =
            sources[i] < 0 || epoll_ctl(match->cancel_fd, EPOLL_CTL_ADD, sources[i], &event) == 0;
    }
    return is_fine ? OK : error_set(ERR_IO, "cannot watch for signals: %m");
}

static void close_cancel(Match *match) {
    if (match->cancel_fd >= 0)
        close(match->cancel_fd);
    if (match->stop_fd >= 0)
        close(match->stop_fd);
}

Status match_play(Match *match, const MatchEvents *events) {
    match->events = events;
    Status status = open_cancel(match);
    if (status == OK && !match->is_over) {
        uint64_t left = match_total(match) - match->tally.played;
        int want = match->config->concurrency;
        // One even if nothing is known to be left: an even knock-out match may have to go on.
        int tables = left == 0 ? 1 : (uint64_t)want > left ? (int)left : want;
        DistPool *pool = dist_pool_new(tables);
        status = dist_pool_run(pool, (size_t)tables, play_games, match);
        dist_pool_free(pool);
    }
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
