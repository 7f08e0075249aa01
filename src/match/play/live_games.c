// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/live_games.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "chess/fen.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

const char live_games_file[] = "live.jsonl";

// What is told of a game is made by the thread that plays it, move by move, so that the lock is
// held for as long as it takes to copy a text.
struct LiveGame {
    pthread_mutex_t lock; // guards everything below
    bool is_used;
    uint64_t changes; // ever
    uint64_t number;
    Str names, start; // as JSON
    Position pos;     // after `count` moves
    size_t count, opening_count;
    Str moves, scores; // with blanks between them
    int64_t clocks_ms[COLOR_NB];
    int64_t since_ms; // of the calendar: when the mover began to think
};

struct LiveGames {
    char *path; // owned
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; // of `is_stopping`
    pthread_cond_t changed;
    bool is_stopping;
    uint64_t written; // changes, in all
    Str text;
    LiveGame games[LIVE_GAMES_MAX];
};

// --- the thread that writes ---

static void add_clock(Str *out, const char *key, int64_t left_ms) {
    if (left_ms >= 0)
        str_addf(out, ",\"%s\":%" PRId64, key, left_ms);
}

static void add_game(const LiveGame *game, size_t board, Str *out) {
    str_addf(out, "{\"board\":%zu,\"game\":%" PRIu64 "%s%s,\"opening\":%zu", board, game->number,
             str_text(&game->names), str_text(&game->start), game->opening_count);
    add_clock(out, "white_ms", game->clocks_ms[WHITE]);
    add_clock(out, "black_ms", game->clocks_ms[BLACK]);
    str_addf(out, ",\"since_ms\":%" PRId64 ",\"moves\":\"%s\",\"scores\":\"%s\"}\n", game->since_ms,
             str_text(&game->moves), str_text(&game->scores));
}

// How many changes there have been; the text is that of now.
static uint64_t describe(LiveGames *live) {
    uint64_t changes = 0;
    str_clear(&live->text);
    for (size_t i = 0; i < LIVE_GAMES_MAX; i++) {
        LiveGame *game = &live->games[i];
        pthread_mutex_lock(&game->lock);
        changes += game->changes;
        if (game->is_used && game->start.length > 0)
            add_game(game, i, &live->text);
        pthread_mutex_unlock(&game->lock);
    }
    return changes;
}

// Not synced: after a power cut nobody watches these games.
static void replace_file(const LiveGames *live) {
    char *name;
    int fd;
    if (temporary_create(live->path, &name, &fd) != OK)
        return;
    const ssize_t length = (ssize_t)live->text.length;
    const bool is_written = write(fd, str_text(&live->text), live->text.length) == length &&
                            rename(name, live->path) == 0;
    if (!is_written)
        (void)unlink(name);
    close(fd);
    free(name);
}

static void *run(void *context) {
    LiveGames *live = context;
    pthread_mutex_lock(&live->lock);
    while (!live->is_stopping) {
        pthread_mutex_unlock(&live->lock);
        const uint64_t changes = describe(live);
        if (changes != live->written)
            replace_file(live);
        live->written = changes;
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LIVE_PAUSE_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_mutex_lock(&live->lock);
        while (!live->is_stopping &&
               pthread_cond_timedwait(&live->changed, &live->lock, &until) == 0)
            ;
    }
    pthread_mutex_unlock(&live->lock);
    return NULL;
}

// --- from the beginning to the end ---

// Signals are for the threads that play. Without a thread nobody watches.
static void start_thread(LiveGames *live) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    live->has_thread = pthread_create(&live->thread, NULL, run, live) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

LiveGames *live_games_start(const char *directory) {
    LiveGames *live = mem_alloc_zero(1, sizeof *live);
    Str path = {0};
    pthread_condattr_t attributes;
    str_addf(&path, "%s/%s", directory, live_games_file);
    live->path = path.text;
    pthread_mutex_init(&live->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&live->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    for (size_t i = 0; i < LIVE_GAMES_MAX; i++)
        pthread_mutex_init(&live->games[i].lock, NULL);
    start_thread(live);
    return live;
}

static void free_game(LiveGame *game) {
    pthread_mutex_destroy(&game->lock);
    str_free(&game->names);
    str_free(&game->start);
    str_free(&game->moves);
    str_free(&game->scores);
}

void live_games_stop(LiveGames *live) {
    if (live == NULL)
        return;
    pthread_mutex_lock(&live->lock);
    live->is_stopping = true;
    pthread_cond_signal(&live->changed);
    pthread_mutex_unlock(&live->lock);
    if (live->has_thread)
        pthread_join(live->thread, NULL);
    (void)unlink(live->path);
    for (size_t i = 0; i < LIVE_GAMES_MAX; i++)
        free_game(&live->games[i]);
    pthread_cond_destroy(&live->changed);
    pthread_mutex_destroy(&live->lock);
    str_free(&live->text);
    free(live->path);
    free(live);
}

// --- the threads that play ---

static void name_players(LiveGame *game, const char *white, const char *black) {
    str_setf(&game->names, ",\"white\":");
    json_add_string(&game->names, white);
    str_add(&game->names, ",\"black\":");
    json_add_string(&game->names, black);
}

LiveGame *live_game_begin(LiveGames *live, uint64_t number, const char *white, const char *black) {
    for (size_t i = 0; live != NULL && live->has_thread && i < LIVE_GAMES_MAX; i++) {
        LiveGame *game = &live->games[i];
        pthread_mutex_lock(&game->lock);
        const bool is_free = !game->is_used;
        if (is_free) {
            game->is_used = true;
            game->number = number;
            name_players(game, white, black);
            str_clear(&game->start);
        }
        pthread_mutex_unlock(&game->lock);
        if (is_free)
            return game;
    }
    return NULL;
}

void live_game_end(LiveGame *game) {
    if (game == NULL)
        return;
    pthread_mutex_lock(&game->lock);
    game->is_used = false;
    game->changes++;
    pthread_mutex_unlock(&game->lock);
}

static void begin_moves(LiveGame *game, const GameRecord *record) {
    char fen[FEN_SIZE];
    fen_write(&record->start, fen);
    str_setf(&game->start, ",\"start\":\"%s\"", fen);
    game->pos = record->start;
    game->opening_count = record->opening_count;
    game->count = 0;
    str_clear(&game->moves);
    str_clear(&game->scores);
}

static void add_move(LiveGame *game, Move move, const GameThought *thought) {
    const char *blank = game->count == 0 ? "" : " ";
    char uci[UCI_MOVE_SIZE];
    Undo undo;
    move_to_uci(&game->pos, move, uci);
    position_make(&game->pos, move, &undo);
    str_addf(&game->moves, "%s%s", blank, uci);
    if (thought->has_score)
        str_addf(&game->scores, "%s%s%d", blank, thought->is_mate ? "M" : "", thought->score);
    else
        str_addf(&game->scores, "%s-", blank);
    game->count++;
}

void live_game_tell(LiveGame *game, const GameRecord *record, const int64_t clocks_ms[COLOR_NB]) {
    struct timespec now;
    if (game == NULL)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    pthread_mutex_lock(&game->lock);
    // A game may be begun anew (game.h).
    if (game->start.length == 0 || record->count < game->count)
        begin_moves(game, record);
    while (game->count < record->count)
        add_move(game, record->moves[game->count], &record->thoughts[game->count]);
    for (int c = 0; c < COLOR_NB; c++)
        game->clocks_ms[c] = clocks_ms[c];
    game->since_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    game->changes++;
    pthread_mutex_unlock(&game->lock);
}
