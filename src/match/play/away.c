// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/away.h"

#include "base/descriptors.h"
#include "base/mem.h"
#include "match/play/game_bytes.h"

#include <stdlib.h>

// --- on rank 0 ---

struct Away {
    DistRemote *remote;
    TableGame *game; // being packed
    const AwayHost *host;
};

Status away_open(Away **out, DistRanks *ranks, const TableRules *rules, int tables) {
    *out = NULL;
    if (ranks == NULL)
        return OK;
    Away *away = mem_alloc_zero(1, sizeof *away);
    Str context = {0};
    roster_pack(rules->roster, &context);
    table_rules_pack(rules, &context);
    const DistRemoteConfig setup = {.service = away_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .threads = tables};
    Status status = dist_remote_open(&away->remote, ranks, &setup);
    if (status == OK)
        status = dist_remote_wait(away->remote, 0);
    str_free(&context);
    if (status != OK) {
        away_close(away);
        return status;
    }
    away->game = mem_alloc_zero(1, sizeof *away->game);
    *out = away;
    return OK;
}

void away_close(Away *away) {
    if (away == NULL)
        return;
    dist_remote_close(away->remote);
    free(away->game);
    free(away);
}

int away_tables(const Away *away) {
    return away == NULL ? 0 : dist_remote_slots(away->remote);
}

static bool next_game(void *context, int slot, uint64_t *tag, Str *work) {
    Away *away = context;
    *tag = 0; // one game at a time: the slot tells which
    if (!away->host->take(away->host->context, slot, away->game))
        return false;
    table_game_pack(away->game, work);
    return true;
}

static void take_record(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    const Away *away = context;
    GameRecord record = {0};
    (void)tag;
    if (status == OK) {
        ByteReader in = {.rest = answer};
        game_record_unpack(&in, &record);
        if (!bytes_are_done(&in)) {
            game_record_deinit(&record);
            status = error_set(ERR_PARSE, "what came back is no game");
        }
    }
    if (status != OK)
        error_prefix("rank %d", dist_remote_rank_of(away->remote, slot));
    away->host->end(away->host->context, slot, status, &record);
}

static bool is_over(void *context) {
    const Away *away = context;
    return away->host->is_over(away->host->context);
}

// Nothing is played in this thread; it only watches.
static bool watch(void *context) {
    Away *away = context;
    if (away->host->is_stopping(away->host->context))
        dist_remote_cancel(away->remote);
    return false;
}

void away_play(Away *away, const AwayHost *host) {
    const DistWork work = {.context = away,
                           .next = next_game,
                           .done = take_record,
                           .is_over = is_over,
                           .here = watch,
                           .local_slots = host->tables_here};
    away->host = host;
    dist_remote_run(away->remote, &work);
}

void away_count(Away *away, uint64_t games, int64_t elapsed_ns) {
    dist_remote_count(away->remote, games, elapsed_ns);
}

// --- on the other ranks ---

typedef struct Hall {
    Roster roster;
    TableRules rules;
    Table **tables; // owned, and each: made when it is first played at, by the thread that plays
    TableGame *games;
    int cancel_fd;
} Hall;

static Status open_hall(void **self, StrView context, DistPool *pool, int cancel_fd,
                        uint64_t *fingerprint) {
    Hall *hall = *self = mem_alloc_zero(1, sizeof *hall);
    const int tables = dist_pool_threads(pool);
    ByteReader in = {.rest = context};
    (void)fingerprint;
    chess_init();
    hall->rules = (TableRules){.roster = &hall->roster, .tables = tables};
    hall->tables = mem_alloc_zero((size_t)tables, sizeof(Table *));
    hall->games = mem_alloc_zero((size_t)tables, sizeof *hall->games);
    hall->cancel_fd = cancel_fd;
    Status status = roster_unpack(&in, &hall->roster);
    table_rules_unpack(&in, &hall->rules);
    if (status == OK && !bytes_are_done(&in))
        status = error_set(ERR_PARSE, "these bytes describe no tables");
    return status == OK ? descriptors_check(table_descriptors(hall->roster.count, tables)) : status;
}

static Status play_game(void *self, int worker, StrView work, Str *out) {
    Hall *hall = self;
    GameRecord record;
    ByteReader in = {.rest = work};
    table_game_unpack(&in, hall->roster.count, &hall->games[worker]);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "these bytes describe no game");
    if (hall->tables[worker] == NULL)
        hall->tables[worker] = table_new(&hall->rules, hall->cancel_fd);
    const Status status = table_play(hall->tables[worker], &hall->games[worker], &record);
    if (status != OK)
        return status;
    game_record_pack(&record, out);
    game_record_deinit(&record);
    return OK;
}

static void close_hall(void *self) {
    Hall *hall = self;
    for (int i = 0; i < hall->rules.tables; i++)
        table_free(hall->tables[i]);
    roster_close(&hall->roster);
    free(hall->tables);
    free(hall->games);
    free(hall);
}

const DistService away_service = {
    .name = "tables", .open = open_hall, .answer = play_game, .close = close_hall};
