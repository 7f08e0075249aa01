// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_run.h"

#include "base/cancel.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "base/suspend.h"
#include "chess/fen.h"
#include "dist/workers.h"
#include "engines/process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CAP_EXTRA_MS = 10000, // how much longer than its time an engine may take before it hangs
    CAP_MS = 600000,      // without a time
    START_FAILURES_MAX = 3,
    MOVE_BYTES = 2,
    IS_SOLVED = 1, // bits of an answer
    HAS_SCORE = 2,
    IS_MATE = 4,
};

// What a worker asks.
typedef struct SuiteWorker {
    const EngineSet *engines;
    int cancel_fd;
    Player *players; // owned; ops is NULL of those that were not asked yet
    SuiteItem item;  // being asked
} SuiteWorker;

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

Fault suite_ask(const Player *player, const Limits *limits, const SuiteItem *item,
                SuiteAnswer *out) {
    Watch watch = {.item = item};
    const PlayerListener listener = {&watch, see_line};
    PlayerAnswer answer;
    const Fault fault = player->ops->think(player->self, &item->pos, limits, &listener, &answer);
    *out = (SuiteAnswer){.has_score = answer.has_score,
                         .is_mate = answer.is_mate,
                         .score = answer.score,
                         .depth = answer.depth,
                         .nodes = answer.nodes,
                         .elapsed_ms = answer.elapsed_ns / 1000000};
    if (fault == FAULT_NONE && !answer.has_resigned) {
        out->move = answer.move;
        judge(item, &watch, out);
    } else {
        snprintf(out->error, sizeof out->error, "%s",
                 answer.has_resigned ? "resigned" : error_message());
    }
    return fault;
}

// --- engines ---

static Fault begin_position(SuiteWorker *worker, size_t engine, const SuiteItem *item) {
    Player *player = &worker->players[engine];
    Fault fault = FAULT_CRASHED;
    if (player->ops == NULL &&
        engine_set_player(worker->engines, engine, worker->cancel_fd, player) != OK)
        return FAULT_REFUSED;
    for (int i = 0; i < START_FAILURES_MAX && fault != FAULT_NONE; i++) {
        fault = player->ops->new_game(player->self, &item->pos);
        if (fault == FAULT_CANCELLED || fault == FAULT_REFUSED)
            break;
    }
    return fault;
}

static Fault ask_from_start(SuiteWorker *worker, size_t engine, const SuiteItem *item,
                            SuiteAnswer *out) {
    Fault fault = begin_position(worker, engine, item);
    Limits limits = worker->engines->specs[engine].limits;
    if (fault != FAULT_NONE)
        return fault;
    limits.cap_ms = limits.move_ms > 0 ? limits.move_ms + CAP_EXTRA_MS : CAP_MS;
    fault = suite_ask(&worker->players[engine], &limits, item, out);
    return fault == FAULT_CANCELLED || fault == FAULT_REFUSED ? fault : FAULT_NONE;
}

// Puts the position to an engine as a new game. FAULT_NONE: here is its answer, in which faults of
// the engine are told of. All else ends a run: it was cancelled, or the engine cannot be started or
// used, and error_message() says why.
static Fault ask_undisturbed(SuiteWorker *worker, size_t engine, const SuiteItem *item,
                             SuiteAnswer *out) {
    const Player *player = &worker->players[engine];
    if (cancel_is_requested(worker->cancel_fd))
        return FAULT_CANCELLED;
    uint64_t suspends;
    Fault fault;
    // Where this program was stopped meanwhile nobody knows how long the engine took.
    do {
        suspends = suspend_count();
        fault = ask_from_start(worker, engine, item, out);
    } while (fault == FAULT_NONE && suspend_count() != suspends);
    if (player->ops != NULL && player->ops->end_game != NULL) {
        // Which may fail too, and that is not the reason to tell.
        char *why = mem_copy_string(error_message());
        player->ops->end_game(player->self, RESULT_UNKNOWN);
        error_set(ERR_ENGINE, "%s", why);
        free(why);
    }
    return fault;
}

// --- as bytes, and as a service ---

static void pack_moves(const MoveList *list, Str *out) {
    bytes_add_short(out, (int64_t)list->count);
    for (size_t i = 0; i < list->count; i++)
        bytes_add_u16(out, list->moves[i]);
}

static void unpack_moves(ByteReader *in, MoveList *out) {
    out->count = bytes_count(in, MOVE_BYTES);
    in->failed = in->failed || out->count > MOVES_MAX;
    for (size_t i = 0; i < out->count && !in->failed; i++)
        out->moves[i] = bytes_u16(in);
}

void suite_item_pack(const SuiteItem *item, Str *out) {
    char fen[FEN_SIZE];
    fen_write(&item->pos, fen);
    bytes_add_string(out, fen);
    pack_moves(&item->best, out);
    pack_moves(&item->avoid, out);
    bytes_add_short(out, item->mate);
    bytes_add_short(out, item->max_points);
    bytes_add_short(out, (int64_t)item->grade_count);
    for (size_t i = 0; i < item->grade_count; i++) {
        bytes_add_u16(out, item->grades[i].move);
        bytes_add_short(out, item->grades[i].points);
    }
}

void suite_item_unpack(ByteReader *in, SuiteItem *out) {
    *out = (SuiteItem){0};
    char *fen = bytes_string(in);
    if (fen == NULL || fen_parse(fen, &out->pos) != OK)
        in->failed = true;
    free(fen);
    unpack_moves(in, &out->best);
    unpack_moves(in, &out->avoid);
    out->mate = bytes_short_in(in, 0, INT_MAX);
    out->max_points = bytes_short_in(in, INT_MIN, INT_MAX);
    out->grade_count = bytes_count(in, MOVE_BYTES + 1);
    in->failed = in->failed || out->grade_count > SUITE_GRADES_MAX;
    for (size_t i = 0; i < out->grade_count && !in->failed; i++) {
        out->grades[i].move = bytes_u16(in);
        out->grades[i].points = bytes_short_in(in, INT_MIN, INT_MAX);
    }
}

void suite_answer_pack(const SuiteAnswer *answer, Str *out) {
    bytes_add_u16(out, answer->move);
    bytes_add_u8(out,
                 (uint8_t)((answer->is_solved ? IS_SOLVED : 0) |
                           (answer->has_score ? HAS_SCORE : 0) | (answer->is_mate ? IS_MATE : 0)));
    bytes_add_short(out, answer->score);
    bytes_add_short(out, answer->depth);
    bytes_add_short(out, answer->points);
    bytes_add_u64(out, answer->nodes);
    bytes_add_short(out, answer->elapsed_ms);
    bytes_add_short(out, answer->solution_ms);
    bytes_add_short(out, answer->solution_depth);
    bytes_add_u64(out, answer->solution_nodes);
    bytes_add_string(out, answer->error);
}

void suite_answer_unpack(ByteReader *in, SuiteAnswer *out) {
    *out = (SuiteAnswer){.move = bytes_u16(in)};
    const unsigned bits = bytes_u8(in);
    out->is_solved = (bits & IS_SOLVED) != 0;
    out->has_score = (bits & HAS_SCORE) != 0;
    out->is_mate = (bits & IS_MATE) != 0;
    out->score = bytes_short_in(in, INT_MIN, INT_MAX);
    out->depth = bytes_short_in(in, INT_MIN, INT_MAX);
    out->points = bytes_short_in(in, INT_MIN, INT_MAX);
    out->nodes = bytes_u64(in);
    out->elapsed_ms = bytes_short(in);
    out->solution_ms = bytes_short(in);
    out->solution_depth = bytes_short_in(in, INT_MIN, INT_MAX);
    out->solution_nodes = bytes_u64(in);
    char *error = bytes_string(in);
    snprintf(out->error, sizeof out->error, "%s", error == NULL ? "" : error);
    free(error);
}

void suite_job_pack(size_t engine, const SuiteItem *item, Str *out) {
    bytes_add_short(out, (int64_t)engine);
    suite_item_pack(item, out);
}

static void pack_engines(const void *self, Str *out) {
    engine_set_pack(self, out);
}

static Status open_engines(void **self, StrView context, DistPool *pool) {
    EngineSet *engines = *self = mem_alloc_zero(1, sizeof *engines);
    ByteReader in = {.rest = context};
    chess_init();
    TRY(engine_set_unpack(&in, engines));
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "malformed description of engines");
    return descriptors_check(
        process_descriptors((uint64_t)dist_pool_threads(pool), engines->count));
}

static void close_engines(void *self) {
    engine_set_close(self);
    free(self);
}

static void *begin_worker(void *self, int cancel_fd) {
    const EngineSet *engines = self;
    SuiteWorker *worker = mem_alloc_zero(1, sizeof *worker);
    worker->engines = engines;
    worker->cancel_fd = cancel_fd;
    worker->players = mem_alloc_zero(engines->count + 1, sizeof *worker->players);
    return worker;
}

static void end_worker(void *self) {
    SuiteWorker *worker = self;
    for (size_t i = 0; i < worker->engines->count; i++)
        if (worker->players[i].ops != NULL)
            worker->players[i].ops->close(worker->players[i].self);
    free(worker->players);
    free(worker);
}

static Status answer_item(void *self, StrView job, Str *out) {
    SuiteWorker *worker = self;
    SuiteAnswer answer;
    ByteReader in = {.rest = job};
    const int engine = bytes_short_in(&in, 0, (int)worker->engines->count - 1);
    suite_item_unpack(&in, &worker->item);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "malformed position of a suite");
    const Fault fault = ask_undisturbed(worker, (size_t)engine, &worker->item, &answer);
    if (fault == FAULT_NONE)
        suite_answer_pack(&answer, out);
    return fault == FAULT_NONE || fault == FAULT_CANCELLED ? OK
           : fault == FAULT_REFUSED                        ? ERR_ARG
                                                           : ERR_ENGINE;
}

const DistService suite_service = {.name = "suites",
                                   .pack = pack_engines,
                                   .open = open_engines,
                                   .close = close_engines,
                                   .begin = begin_worker,
                                   .answer = answer_item,
                                   .end = end_worker};

// --- a whole suite ---

// Jobs are numbered by positions, then by engines.
typedef struct SuiteRun {
    const Suite *suite;
    size_t engine_count;
    SuiteCallback *on_answer;
    void *context;
} SuiteRun;

static DistNext next_item(void *context, uint64_t number, Str *job) {
    const SuiteRun *run = context;
    suite_job_pack(number % run->engine_count, &run->suite->items[number / run->engine_count], job);
    return DIST_JOB;
}

static Status take_answer(void *context, uint64_t number, StrView bytes) {
    const SuiteRun *run = context;
    ByteReader in = {.rest = bytes};
    SuiteAnswer answer;
    suite_answer_unpack(&in, &answer);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "malformed answer");
    run->on_answer(run->context, number / run->engine_count, number % run->engine_count, &answer);
    return OK;
}

uint64_t suite_descriptors(const SuiteConfig *config) {
    return process_descriptors((uint64_t)config->concurrency, config->engine_count);
}

Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                 void *context) {
    CLEANUP(engine_set_close) EngineSet engines = {0};
    CLEANUP(dist_workers_close_at) DistWorkers *workers = NULL;
    TRY(engine_set_open(&engines, config->engines, config->engine_count));
    const DistWorkersConfig who = {.service = &suite_service,
                                   .self = &engines,
                                   .threads = config->concurrency,
                                   .ranks = config->ranks,
                                   .rank_threads = config->concurrency,
                                   .may_hang = true,
                                   .cancel_fd = config->cancel_fd};
    SuiteRun run = {suite, config->engine_count, on_answer, context};
    const DistJobs jobs = {.context = &run,
                           .order = DIST_IN_ORDER_WITH_GAPS,
                           .count = suite->count * config->engine_count,
                           .next = next_item,
                           .done = take_answer};
    TRY(dist_workers_open(&workers, &who));
    return dist_workers_run(workers, &jobs);
}
