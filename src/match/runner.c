// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/runner.h"

#include "base/mem.h"
#include "match/player_create.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MARGIN_CLOCK_MS = 10, // how late a move may come, unless the engine's description says it
    MARGIN_MOVE_MS = 50,
    CRASHES_MAX = 5, // in a row without a move: there is no point in going on
    MESSAGE_SIZE = 512,
};

// A game that has ended before one that was started earlier.
typedef struct Finished {
    MatchGame game;
    GameRecord record;
} Finished;

typedef struct Runner {
    const MatchConfig *config;
    const MatchEvents *events;
    pthread_mutex_t lock; // guards everything below, and the events
    MatchScore *score;
    uint64_t next_start, next_end;
    Finished *waiting; // owned
    size_t waiting_count, waiting_capacity;
    bool is_stopping;
    Status status;
    char message[MESSAGE_SIZE];
    int crashes[MATCH_SIDES]; // in a row, before a first move
} Runner;

MatchGame match_game_at(uint64_t index) {
    return (MatchGame){.index = index, .opening = index / 2, .white = (int)(index % 2)};
}

void match_sides(const MatchConfig *config, int white, GameSide out[COLOR_NB]) {
    for (int c = 0; c < COLOR_NB; c++) {
        const EngineSpec *spec = config->engines[c == WHITE ? white : 1 - white];
        int margin = spec->limits.move_ms > 0 ? MARGIN_MOVE_MS : MARGIN_CLOCK_MS;
        out[c] = (GameSide){spec->limits, spec->margin_ms < 0 ? margin : spec->margin_ms};
    }
}

// Half points of the first engine.
static int points_of(const MatchGame *game, GameResult result) {
    if (result == RESULT_DRAW)
        return 1;
    return (result == RESULT_WHITE_WINS) == (game->white == 0) ? 2 : 0;
}

static void count_fault(MatchScore *score, const MatchGame *game, const GameRecord *record) {
    MatchFaults *faults = &score->faults[record->loser == WHITE ? game->white : 1 - game->white];
    faults->late += record->ending == ENDING_TIME;
    faults->illegal += record->ending == ENDING_ILLEGAL;
    faults->crashed += record->ending == ENDING_CRASHED;
    faults->stalled += record->ending == ENDING_STALLED;
}

static void report_end(Runner *runner, Finished *finished, bool has_partner) {
    MatchScore *score = runner->score;
    int points = points_of(&finished->game, finished->record.result);
    score->games.wins += points == 2;
    score->games.draws += points == 1;
    score->games.losses += points == 0;
    score->played++;
    count_fault(score, &finished->game, &finished->record);
    if (has_partner)
        score->pairs.results[score->last_result + points]++;
    score->last_result = points;
    runner->events->on_end(runner->events->context, &finished->game, &finished->record, score);
    game_record_deinit(&finished->record);
}

static size_t find_waiting(const Runner *runner, uint64_t index) {
    size_t i = 0;
    while (i < runner->waiting_count && runner->waiting[i].game.index != index)
        i++;
    return i;
}

static void report_in_order(Runner *runner) {
    size_t i;
    while ((i = find_waiting(runner, runner->next_end)) < runner->waiting_count) {
        Finished finished = runner->waiting[i];
        runner->waiting[i] = runner->waiting[--runner->waiting_count];
        report_end(runner, &finished, runner->next_end % 2 == 1);
        runner->next_end++;
    }
}

// After a match that was broken off: what was finished counts, though games before it are missing.
static void report_rest(Runner *runner) {
    uint64_t last = runner->next_end;
    while (runner->waiting_count > 0) {
        size_t first = 0;
        for (size_t i = 1; i < runner->waiting_count; i++)
            if (runner->waiting[i].game.index < runner->waiting[first].game.index)
                first = i;
        Finished finished = runner->waiting[first];
        runner->waiting[first] = runner->waiting[--runner->waiting_count];
        uint64_t index = finished.game.index;
        report_end(runner, &finished, index % 2 == 1 && index == last);
        last = index + 1;
    }
}

static void stop_failed(Runner *runner, const char *message) {
    runner->is_stopping = true;
    if (runner->status != OK)
        return;
    runner->status = ERR_ENGINE;
    snprintf(runner->message, MESSAGE_SIZE, "%s", message);
}

// An engine that cannot be started, or always crashes before its first move, ends the match.
static void watch_for_hopeless(Runner *runner, const MatchGame *game, const GameRecord *record) {
    for (int c = 0; c < COLOR_NB; c++) {
        int engine = c == WHITE ? game->white : 1 - game->white;
        bool has_moved = record->count > (c == WHITE ? 0 : 1);
        bool is_crash = record->ending == ENDING_CRASHED && record->loser == (Color)c;
        if (has_moved)
            runner->crashes[engine] = 0;
        else if (is_crash && (++runner->crashes[engine] >= CRASHES_MAX || record->is_refused))
            stop_failed(runner, record->detail);
    }
}

static bool take_game(Runner *runner, MatchGame *out) {
    pthread_mutex_lock(&runner->lock);
    bool has_game = !runner->is_stopping && runner->next_start < runner->config->games;
    if (has_game) {
        *out = match_game_at(runner->next_start++);
        runner->events->on_start(runner->events->context, out);
    }
    pthread_mutex_unlock(&runner->lock);
    return has_game;
}

static void finish_game(Runner *runner, const MatchGame *game, GameRecord *record) {
    pthread_mutex_lock(&runner->lock);
    if (record->ending == ENDING_CANCELLED) {
        runner->is_stopping = true;
        game_record_deinit(record);
    } else {
        watch_for_hopeless(runner, game, record);
        if (record->is_refused) {
            game_record_deinit(record);
        } else {
            runner->waiting = vec_grow(runner->waiting, &runner->waiting_capacity,
                                       runner->waiting_count + 1, sizeof *runner->waiting);
            runner->waiting[runner->waiting_count++] = (Finished){*game, *record};
            report_in_order(runner);
        }
    }
    pthread_mutex_unlock(&runner->lock);
}

static bool create_players(Runner *runner, Player players[MATCH_SIDES]) {
    const MatchConfig *config = runner->config;
    for (int i = 0; i < MATCH_SIDES; i++) {
        if (player_create(&players[i], config->engines[i], config->cancel_fd) == OK)
            continue;
        pthread_mutex_lock(&runner->lock);
        stop_failed(runner, error_message());
        pthread_mutex_unlock(&runner->lock);
        return false;
    }
    return true;
}

static void *play_games(void *context) {
    Runner *runner = context;
    const MatchConfig *config = runner->config;
    Player players[MATCH_SIDES] = {0};
    if (!create_players(runner, players))
        goto out;
    MatchGame game;
    while (take_game(runner, &game)) {
        GameConfig setup = {.rules = config->rules, .cap_ms = config->cap_ms};
        if (config->openings == NULL)
            position_set_start(&setup.start);
        else
            setup.start = *openings_at(config->openings, game.opening);
        match_sides(config, game.white, setup.sides);
        GameRecord record;
        game_play(&setup, &players[game.white], &players[1 - game.white], &record);
        finish_game(runner, &game, &record);
    }
out:
    for (int i = 0; i < MATCH_SIDES; i++)
        if (players[i].ops != NULL)
            players[i].ops->close(players[i].self);
    return NULL;
}

Status match_run(const MatchConfig *config, const MatchEvents *events, MatchScore *score) {
    *score = (MatchScore){0};
    Runner runner = {
        .config = config, .events = events, .lock = PTHREAD_MUTEX_INITIALIZER, .score = score};
    pthread_t threads[MATCH_CONCURRENCY_MAX];
    int count = 0, want = config->concurrency;
    if ((uint64_t)want > config->games)
        want = (int)config->games;
    while (count < want && count < MATCH_CONCURRENCY_MAX &&
           pthread_create(&threads[count], NULL, play_games, &runner) == 0)
        count++;
    if (count == 0 && want > 0)
        runner.status = error_set(ERR_LIMIT, "cannot start a thread");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    report_rest(&runner);
    free(runner.waiting);
    return runner.message[0] == '\0' ? runner.status
                                     : error_set(runner.status, "%s", runner.message);
}
