// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/match_worker.h"

#include "base/descriptors.h"
#include "base/mem.h"
#include "engines/process.h"
#include "match/play/game_bytes.h"
#include "match/play/live_games.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>

enum {
    MARGIN_CLOCK_MS = 10, // how late a move may come, unless the engine's description says it
    MARGIN_MOVE_MS = 50,
    SLOTS_ALL = 64, // engines running at a time that are kept even when not playing
};

// A running engine.
typedef struct EngineSlot {
    int engine; // -1: empty
    Player player;
    uint64_t last_used;
} EngineSlot;

typedef struct MatchWorker {
    const MatchRules *rules;
    int cancel_fd;
    EngineSlot *slots; // owned
    int slot_count;
    uint64_t uses;
    bool has_played;
    MatchJob job; // engines may ask for its options until they are given others
} MatchWorker;

// --- jobs as bytes ---

void match_rules_pack(const MatchRules *rules, Str *out) {
    engine_set_pack(&rules->engines, out);
    adjudication_pack(&rules->adjudication, out);
    bytes_add_short(out, rules->cap_ms);
    bytes_add_short(out, rules->wait_ms);
}

Status match_rules_unpack(MatchRules *out, StrView bytes, int workers) {
    ByteReader in = {.rest = bytes};
    *out = (MatchRules){.workers = workers};
    TRY(engine_set_unpack(&in, &out->engines));
    out->adjudication = adjudication_unpack(&in);
    out->cap_ms = bytes_short(&in);
    out->wait_ms = bytes_short_in(&in, 0, INT_MAX);
    return bytes_are_done(&in) ? OK : error_set(ERR_PARSE, "malformed rules of a match");
}

void match_rules_free(MatchRules *rules) {
    engine_set_close(&rules->engines);
}

void match_job_pack(const MatchJob *job, Str *out) {
    bytes_add_u64(out, job->number);
    bytes_add_short(out, job->white);
    bytes_add_short(out, job->black);
    opening_pack(&job->opening, out);
    bytes_add_short(out, (int64_t)job->option_count);
    for (int c = 0; c < COLOR_NB; c++)
        for (size_t i = 0; i < job->option_count; i++) {
            bytes_add_string(out, job->options[c][i].name);
            bytes_add_string(out, job->options[c][i].value);
        }
}

static bool is_uci(const EngineSpec *spec) {
    return spec->weights == NULL && spec->protocol == PROTOCOL_UCI;
}

static void unpack_options(ByteReader *in, MatchJob *out) {
    for (int c = 0; c < COLOR_NB; c++) {
        out->options[c] = mem_alloc_zero(out->option_count + 1, sizeof *out->options[c]);
        for (size_t i = 0; i < out->option_count; i++) {
            EngineOption *option = &out->options[c][i];
            option->name = bytes_string(in);
            option->value = bytes_string(in);
            in->failed = in->failed || option->name == NULL || option->value == NULL;
        }
    }
}

void match_job_unpack(ByteReader *in, const EngineSet *engines, MatchJob *out) {
    const int last = engines->count > 0 && engines->count <= INT_MAX ? (int)engines->count - 1 : 0;
    out->number = bytes_u64(in);
    out->white = bytes_short_in(in, 0, last);
    out->black = bytes_short_in(in, 0, last);
    in->failed = in->failed || out->white == out->black;
    opening_unpack(in, &out->opening);
    out->option_count = bytes_count(in, 2);
    if (out->option_count > 0 && !in->failed)
        in->failed = !is_uci(&engines->specs[out->white]) || !is_uci(&engines->specs[out->black]);
    unpack_options(in, out);
}

void match_job_free(MatchJob *job) {
    for (int c = 0; c < COLOR_NB; c++) {
        for (size_t i = 0; i < job->option_count && job->options[c] != NULL; i++) {
            free(job->options[c][i].name);
            free(job->options[c][i].value);
        }
        free(job->options[c]);
        job->options[c] = NULL;
    }
}

Status match_answer_unpack(StrView bytes, GameRecord *out) {
    ByteReader in = {.rest = bytes};
    game_record_unpack(&in, out);
    if (bytes_are_done(&in))
        return OK;
    game_record_deinit(out);
    return error_set(ERR_PARSE, "malformed game");
}

// --- engines ---

// With few engines in all, every worker keeps its own of each; else only those that play.
static int slots_of(size_t engines, int workers) {
    return engines * (size_t)workers <= SLOTS_ALL ? (int)engines : 2;
}

uint64_t match_worker_descriptors(size_t engines, int workers) {
    return process_descriptors((uint64_t)workers, (uint64_t)slots_of(engines, workers));
}

void match_worker_sides(const EngineSpec *white, const EngineSpec *black, GameSide out[COLOR_NB]) {
    for (int c = 0; c < COLOR_NB; c++) {
        const EngineSpec *spec = c == WHITE ? white : black;
        int margin = spec->limits.move_ms > 0 ? MARGIN_MOVE_MS : MARGIN_CLOCK_MS;
        out[c] = (GameSide){spec->limits, spec->margin_ms < 0 ? margin : spec->margin_ms};
    }
}

static void empty_slot(EngineSlot *slot) {
    if (slot->engine >= 0)
        slot->player.ops->close(slot->player.self);
    slot->engine = -1;
}

// The engine's player; one that is not in the game gives way where all slots are taken. NULL, with
// the reason, when it cannot be.
static const Player *find_player(MatchWorker *worker, int engine, int opponent) {
    EngineSlot *slot = NULL;
    for (int i = 0; i < worker->slot_count; i++) {
        EngineSlot *other = &worker->slots[i];
        bool is_free = other->engine != opponent;
        if (other->engine == engine) {
            other->last_used = ++worker->uses;
            return &other->player;
        }
        if (is_free && (slot == NULL || other->last_used < slot->last_used))
            slot = other;
    }
    empty_slot(slot);
    if (engine_set_player(&worker->rules->engines, (size_t)engine, worker->cancel_fd,
                          &slot->player) != OK)
        return NULL;
    slot->engine = engine;
    slot->last_used = ++worker->uses;
    return &slot->player;
}

// --- games ---

static Status play(MatchWorker *worker, GameRecord *out) {
    const MatchRules *rules = worker->rules;
    const MatchJob *job = &worker->job;
    const EngineSpec *specs = rules->engines.specs;
    GameConfig setup = {.start = job->opening.start,
                        .opening = job->opening.moves,
                        .opening_count = job->opening.count,
                        .rules = rules->adjudication,
                        .cap_ms = rules->cap_ms};
    const Player *white = find_player(worker, job->white, job->black);
    const Player *black = white == NULL ? NULL : find_player(worker, job->black, job->white);
    if (black == NULL)
        return ERR_ENGINE;
    if (is_uci(&specs[job->white]))
        player_engine_set_options(white, job->options[WHITE], job->option_count);
    if (is_uci(&specs[job->black]))
        player_engine_set_options(black, job->options[BLACK], job->option_count);
    match_worker_sides(&specs[job->white], &specs[job->black], setup.sides);
    setup.live = live_game_begin(rules->live, job->number, white->name, black->name);
    game_play(&setup, white, black, out);
    live_game_end(setup.live);
    return OK;
}

// Between games; not when they are broken off.
static void wait_a_while(MatchWorker *worker) {
    struct pollfd cancel = {.fd = worker->cancel_fd, .events = POLLIN};
    if (worker->has_played && worker->rules->wait_ms > 0)
        (void)poll(&cancel, 1, (int)worker->rules->wait_ms);
    worker->has_played = true;
}

static Status answer_game(void *self, StrView job, Str *out) {
    MatchWorker *worker = self;
    CLEANUP(match_job_free) MatchJob other = {0}; // the new one where it is malformed, else the old
    CLEANUP(game_record_deinit) GameRecord record = {0};
    ByteReader in = {.rest = job};
    match_job_unpack(&in, &worker->rules->engines, &other);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "malformed game to play");
    const MatchJob old = worker->job;
    worker->job = other;
    other = old;
    wait_a_while(worker);
    TRY(play(worker, &record));
    if (record.fault == FAULT_REFUSED)
        return error_set(ERR_ENGINE, "%s", record.detail);
    if (record.fault != FAULT_CANCELLED)
        game_record_pack(&record, out);
    return OK;
}

static void *begin_worker(void *self, int cancel_fd) {
    const MatchRules *rules = self;
    MatchWorker *worker = mem_alloc_zero(1, sizeof *worker);
    worker->rules = rules;
    worker->cancel_fd = cancel_fd;
    worker->slot_count = slots_of(rules->engines.count, rules->workers);
    worker->slots = mem_alloc_zero((size_t)worker->slot_count, sizeof *worker->slots);
    for (int i = 0; i < worker->slot_count; i++)
        worker->slots[i].engine = -1;
    return worker;
}

static void end_worker(void *self) {
    MatchWorker *worker = self;
    for (int i = 0; i < worker->slot_count; i++)
        empty_slot(&worker->slots[i]);
    match_job_free(&worker->job);
    free(worker->slots);
    free(worker);
}

static void pack_rules(const void *self, Str *out) {
    match_rules_pack(self, out);
}

static Status open_rules(void **self, StrView context, DistPool *pool) {
    const int workers = dist_pool_threads(pool);
    MatchRules *rules = *self = mem_alloc_zero(1, sizeof *rules);
    chess_init();
    TRY(match_rules_unpack(rules, context, workers));
    return descriptors_check(match_worker_descriptors(rules->engines.count, workers));
}

static void close_rules(void *self) {
    match_rules_free(self);
    free(self);
}

const DistService match_service = {.name = "games",
                                   .pack = pack_rules,
                                   .open = open_rules,
                                   .close = close_rules,
                                   .begin = begin_worker,
                                   .answer = answer_game,
                                   .end = end_worker};
