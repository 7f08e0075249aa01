// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/suite_run.h"

#include "base/mem.h"
#include "match/player_create.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAP_EXTRA_MS = 10000, // how much longer than its time an engine may take before it hangs
    CAP_MS = 600000,      // without a time
    START_FAILURES_MAX = 3,
    DESCRIPTORS_PER_ENGINE = 4,
    DESCRIPTORS_TO_START = 8,
    DESCRIPTORS_OTHERS = 32,
};

// Tasks are numbered by positions, then by engines.
typedef struct SuiteRun {
    const Suite *suite;
    const SuiteConfig *config;
    SuiteCallback *on_answer;
    void *context;
    size_t task_count;
    pthread_mutex_t lock; // guards everything below, and the callback
    size_t next_start, next_end;
    SuiteAnswer *answers; // owned
    bool *is_done;        // owned
    bool is_cancelled;
    Status status;
    char message[SUITE_ERROR_SIZE];
} SuiteRun;

// --- one answer ---

// Since when the engine's best line has been a solution.
typedef struct Watch {
    const SuiteItem *item;
    bool is_solution;
    PlayerLine since;
} Watch;

static int mate_of(bool is_mate, int score) {
    return is_mate && score > 0 ? score : 0;
}

static void see_line(void *context, const PlayerLine *line) {
    Watch *watch = context;
    const bool was_solution = watch->is_solution;
    const int mate = mate_of(line->has_score && line->is_mate, line->score);
    watch->is_solution = suite_is_solution(watch->item, line->first, mate);
    if (watch->is_solution && !was_solution)
        watch->since = *line;
}

static void judge(const SuiteItem *item, const Watch *watch, SuiteAnswer *answer) {
    const int mate = mate_of(answer->has_score && answer->is_mate, answer->score);
    answer->is_solved = suite_is_solution(item, answer->move, mate);
    answer->points = suite_points(item, answer->move, mate);
    // A solution that no line told of was found at the end.
    answer->solution_ms = answer->elapsed_ms;
    answer->solution_depth = answer->depth;
    answer->solution_nodes = answer->nodes;
    if (!watch->is_solution)
        return;
    const int64_t since_ms = watch->since.elapsed_ns / 1000000;
    answer->solution_ms = since_ms < answer->elapsed_ms ? since_ms : answer->elapsed_ms;
    answer->solution_depth = watch->since.depth;
    answer->solution_nodes = watch->since.nodes;
}

static PlayerFault ask(const Player *player, const EngineLimits *limits, const SuiteItem *item,
                       SuiteAnswer *out) {
    Watch watch = {.item = item};
    const PlayerListener listener = {&watch, see_line};
    const PlayerLimits what = {.time_ms = {-1, -1},
                               .move_ms = limits->move_ms,
                               .depth = limits->depth,
                               .nodes = limits->nodes,
                               .cap_ms =
                                   limits->move_ms > 0 ? limits->move_ms + CAP_EXTRA_MS : CAP_MS,
                               .listener = &listener};
    PlayerAnswer answer;
    const PlayerFault fault = player->ops->think(player->self, &item->pos, &what, &answer);
    *out = (SuiteAnswer){.has_score = answer.has_score,
                         .is_mate = answer.is_mate,
                         .score = answer.score,
                         .depth = answer.depth,
                         .nodes = answer.nodes,
                         .elapsed_ms = answer.elapsed_ns / 1000000};
    if (fault == PLAYER_FINE) {
        out->move = answer.move;
        judge(item, &watch, out);
    } else {
        snprintf(out->error, sizeof out->error, "%s",
                 fault == PLAYER_RESIGNED ? "resigned" : error_message());
    }
    return fault;
}

// --- many answers ---

static bool take_next(SuiteRun *run, size_t *out) {
    pthread_mutex_lock(&run->lock);
    bool has_next = run->status == OK && !run->is_cancelled && run->next_start < run->task_count;
    if (has_next)
        *out = run->next_start++;
    pthread_mutex_unlock(&run->lock);
    return has_next;
}

static void tell(SuiteRun *run, size_t task) {
    run->on_answer(run->context, task / run->config->engine_count, task % run->config->engine_count,
                   &run->answers[task]);
}

static void give_answer(SuiteRun *run, size_t task, const SuiteAnswer *answer) {
    pthread_mutex_lock(&run->lock);
    run->answers[task] = *answer;
    run->is_done[task] = true;
    for (; run->next_end < run->task_count && run->is_done[run->next_end]; run->next_end++)
        tell(run, run->next_end);
    pthread_mutex_unlock(&run->lock);
}

// What was answered behind a gap, when the run has stopped.
static void tell_rest(SuiteRun *run) {
    for (; run->next_end < run->task_count; run->next_end++)
        if (run->is_done[run->next_end])
            tell(run, run->next_end);
}

static void stop_run(SuiteRun *run, PlayerFault fault) {
    pthread_mutex_lock(&run->lock);
    if (fault == PLAYER_CANCELLED) {
        run->is_cancelled = true;
    } else if (run->status == OK) {
        snprintf(run->message, sizeof run->message, "%s", error_message());
        run->status = fault == PLAYER_REFUSED ? ERR_ARG : ERR_ENGINE;
    }
    pthread_mutex_unlock(&run->lock);
}

static PlayerFault begin_position(Player *player, const EngineSpec *spec, int cancel_fd,
                                  const SuiteItem *item) {
    PlayerFault fault = PLAYER_CRASHED;
    if (player->ops == NULL && player_create(player, spec, cancel_fd) != OK)
        return PLAYER_REFUSED;
    for (int i = 0; i < START_FAILURES_MAX && fault != PLAYER_FINE; i++) {
        fault = player->ops->new_game(player->self, &item->pos);
        if (fault == PLAYER_CANCELLED || fault == PLAYER_REFUSED)
            break;
    }
    return fault;
}

// False when the run cannot go on.
static bool do_task(SuiteRun *run, Player *players, size_t task) {
    const size_t engine = task % run->config->engine_count;
    const EngineSpec *spec = &run->config->engines[engine];
    const SuiteItem *item = &run->suite->items[task / run->config->engine_count];
    Player *player = &players[engine];
    SuiteAnswer answer;
    PlayerFault fault = begin_position(player, spec, run->config->cancel_fd, item);
    bool goes_on = fault == PLAYER_FINE;
    if (goes_on) {
        fault = ask(player, &spec->limits, item, &answer);
        goes_on = fault != PLAYER_CANCELLED && fault != PLAYER_REFUSED;
    }
    if (goes_on)
        give_answer(run, task, &answer);
    else
        stop_run(run, fault);
    if (player->ops != NULL && player->ops->end_game != NULL)
        player->ops->end_game(player->self, RESULT_UNKNOWN);
    return goes_on;
}

static void *do_tasks(void *context) {
    SuiteRun *run = context;
    Player *players = mem_alloc_zero(run->config->engine_count, sizeof *players);
    size_t task;
    while (take_next(run, &task) && do_task(run, players, task))
        continue;
    for (size_t i = 0; i < run->config->engine_count; i++)
        if (players[i].ops != NULL)
            players[i].ops->close(players[i].self);
    free(players);
    return NULL;
}

uint64_t suite_descriptors(const SuiteConfig *config) {
    const uint64_t each = config->engine_count * DESCRIPTORS_PER_ENGINE + DESCRIPTORS_TO_START;
    return (uint64_t)config->concurrency * each + DESCRIPTORS_OTHERS;
}

Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                 void *context) {
    SuiteRun run = {.suite = suite,
                    .config = config,
                    .on_answer = on_answer,
                    .context = context,
                    .task_count = suite->count * config->engine_count,
                    .lock = PTHREAD_MUTEX_INITIALIZER};
    run.answers = mem_alloc_zero(run.task_count, sizeof *run.answers);
    run.is_done = mem_alloc_zero(run.task_count, sizeof *run.is_done);
    pthread_t threads[SUITE_CONCURRENCY_MAX];
    int count = 0;
    while (count < config->concurrency && count < SUITE_CONCURRENCY_MAX &&
           (size_t)count < run.task_count &&
           pthread_create(&threads[count], NULL, do_tasks, &run) == 0)
        count++;
    if (count == 0)
        run.status = error_set(ERR_LIMIT, "cannot start a thread");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    tell_rest(&run);
    free(run.answers);
    free(run.is_done);
    return run.message[0] == '\0' ? run.status : error_set(run.status, "%s", run.message);
}
