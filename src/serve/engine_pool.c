// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/engine_pool.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { START_MS = 20000, READY_MS = 20000, STOP_MS = 2000 };

void engine_pool_open(EnginePool *pool, int cancel_fd) {
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->freed, NULL);
    pool->cancel_fd = cancel_fd;
}

void engine_pool_close(EnginePool *pool) {
    for (int i = 0; i < ENGINE_POOL_MAX; i++)
        client_close(pool->seats[i].client);
    pthread_cond_destroy(&pool->freed);
    pthread_mutex_destroy(&pool->lock);
}

// --- seats ---

static bool is_of(const EngineSeat *seat, const EngineSpec *spec, const char *page) {
    return seat->spec == spec && strcmp(seat->page, page) == 0;
}

// The seat of this page's engine; else one that is empty; else the one that has been idle the
// longest. NULL where all are busy. To be called with the lock held.
static EngineSeat *choose_seat(EnginePool *pool, const EngineSpec *spec, const char *page) {
    EngineSeat *best = NULL;
    for (int i = 0; i < ENGINE_POOL_MAX; i++) {
        EngineSeat *seat = &pool->seats[i];
        if (is_of(seat, spec, page))
            return seat->is_busy ? NULL : seat;
        if (!seat->is_busy && (best == NULL || seat->used_ns < best->used_ns))
            best = seat;
    }
    return best;
}

static Status take_seat(EnginePool *pool, const EngineSpec *spec, const char *page,
                        EngineSeat **out) {
    struct timespec until;
    EngineSeat *seat;
    int waited = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ENGINE_POOL_WAIT_S;
    pthread_mutex_lock(&pool->lock);
    while ((seat = choose_seat(pool, spec, page)) == NULL && waited == 0)
        waited = pthread_cond_timedwait(&pool->freed, &pool->lock, &until);
    if (seat != NULL) {
        seat->is_busy = true;
        seat->is_anothers = !is_of(seat, spec, page);
        seat->spec = spec;
        snprintf(seat->page, sizeof seat->page, "%s", page);
    }
    pthread_mutex_unlock(&pool->lock);
    if (seat == NULL)
        return error_set(ERR_LIMIT, "engines are busy with other pages: try again");
    *out = seat;
    return OK;
}

// Ends its engine; the seat must be this thread's. Takes a moment, so not with the lock held.
static void end_engine(EngineSeat *seat) {
    client_close(TAKE(seat->client));
    seat->has_game = false;
}

static void leave_seat(EnginePool *pool, EngineSeat *seat) {
    pthread_mutex_lock(&pool->lock);
    seat->is_busy = false;
    if (seat->client == NULL)
        seat->spec = NULL;
    seat->used_ns = seat->client == NULL ? 0 : clock_now_ns();
    pthread_cond_broadcast(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}

// --- thinking ---

static Status start_engine(const EnginePool *pool, EngineSeat *seat) {
    if (seat->client != NULL && !seat->is_anothers && client_is_reusable(seat->client))
        return OK;
    end_engine(seat);
    const ClientConfig config = {.spec = seat->spec,
                                 .cancel_fd = pool->cancel_fd,
                                 .start_ms = START_MS,
                                 .ready_ms = READY_MS,
                                 .stop_ms = STOP_MS};
    return client_open(&seat->client, &config);
}

static bool has_same_limits(const EngineSeat *seat, const Limits *limits) {
    return seat->limits.nodes == limits->nodes && seat->limits.move_ms == limits->move_ms;
}

// Whether the game is the one it knows, with its answer and one move more: then it keeps what it
// has found out so far.
static bool goes_on(const EngineSeat *seat, const PlayGame *game, const Limits *limits) {
    char fen[FEN_SIZE];
    fen_write(&game->pgn.start, fen);
    return seat->has_game && has_same_limits(seat, limits) &&
           game->pgn.move_count == seat->move_count + 1 && strcmp(seat->start, fen) == 0 &&
           memcmp(seat->moves, game->pgn.moves, seat->move_count * sizeof *seat->moves) == 0;
}

static Status tell_game(EngineSeat *seat, const PlayGame *game, const Limits *limits) {
    const bool is_more = goes_on(seat, game, limits);
    // Known are the moves before its answer.
    const size_t known = is_more ? seat->move_count - 1 : 0;
    seat->has_game = false;
    if (!is_more)
        TRY(client_new_game(seat->client, &game->pgn.start));
    for (size_t i = known; i < game->pgn.move_count; i++)
        client_push_move(seat->client, game->pgn.moves[i]);
    return OK;
}

static void remember_game(EngineSeat *seat, const PlayGame *game, const Limits *limits,
                          Move answer) {
    seat->has_game = true;
    fen_write(&game->pgn.start, seat->start);
    for (size_t i = 0; i < game->pgn.move_count; i++)
        seat->moves[i] = game->pgn.moves[i];
    seat->moves[game->pgn.move_count] = answer;
    seat->move_count = game->pgn.move_count + 1;
    seat->limits = *limits;
}

static void take_answer(const EngineAnswer *answer, const PlayGame *game, Thought *out) {
    const UciInfo *info = &answer->info;
    *out = (Thought){.move = answer->move,
                     .has_resigned = answer->has_resigned,
                     .depth = info->depth,
                     .nodes = info->nodes,
                     .has_score = (info->has & UCI_INFO_SCORE) != 0,
                     .is_mate = (info->has & UCI_INFO_MATE) != 0,
                     .score = info->score};
    thought_read_line(out, game, view_from_string(answer->line));
}

static Status ask(EngineSeat *seat, const PlayGame *game, const Limits *limits, Thought *out) {
    EngineAnswer answer;
    TRY(tell_game(seat, game, limits));
    TRY(client_go(seat->client, limits, NULL, &answer));
    take_answer(&answer, game, out);
    if (answer.move == MOVE_NONE && !answer.has_resigned)
        return error_set(ERR_ENGINE, "%s: '%s' is no legal move", seat->spec->name,
                         view_shown(view_from_string(answer.text)).text);
    if (answer.move != MOVE_NONE)
        remember_game(seat, game, limits, answer.move);
    return OK;
}

Status engine_pool_think(EnginePool *pool, const EngineSpec *spec, const char *page,
                         const PlayGame *game, const Limits *limits, Thought *out) {
    EngineSeat *seat = NULL;
    if (game->end == GAME_CHECKMATE || game->end == GAME_STALEMATE)
        return error_set(ERR_ARG, "the game is over");
    TRY(take_seat(pool, spec, page, &seat));
    Status status = start_engine(pool, seat);
    if (status == OK)
        status = ask(seat, game, limits, out);
    if (status != OK)
        end_engine(seat);
    leave_seat(pool, seat);
    return status;
}

// --- the end ---

typedef bool SeatTest(const EngineSeat *seat, const void *context);

static void end_where(EnginePool *pool, SeatTest *is_wanted, const void *context) {
    for (int i = 0; i < ENGINE_POOL_MAX; i++) {
        EngineSeat *seat = &pool->seats[i];
        pthread_mutex_lock(&pool->lock);
        const bool is_taken = !seat->is_busy && seat->spec != NULL && is_wanted(seat, context);
        seat->is_busy = seat->is_busy || is_taken;
        pthread_mutex_unlock(&pool->lock);
        if (!is_taken)
            continue;
        end_engine(seat);
        leave_seat(pool, seat);
    }
}

static bool is_of_page(const EngineSeat *seat, const void *page) {
    return strcmp(seat->page, page) == 0;
}

static bool is_idle(const EngineSeat *seat, const void *now) {
    return *(const int64_t *)now - seat->used_ns > ENGINE_POOL_IDLE_S * INT64_C(1000000000);
}

void engine_pool_leave(EnginePool *pool, const char *page) {
    end_where(pool, is_of_page, page);
}

void engine_pool_end_idle(EnginePool *pool) {
    const int64_t now = clock_now_ns();
    end_where(pool, is_idle, &now);
}
