// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/table.h"

#include "base/mem.h"
#include "engines/process.h"
#include "match/play/game_bytes.h"

#include <limits.h>
#include <stdlib.h>

enum {
    MARGIN_CLOCK_MS = 10, // how late a move may come, unless the engine's description says it
    MARGIN_MOVE_MS = 50,
    SEATS_ALL = 64, // engines running at a time that are kept even when not playing
};

// A running engine.
typedef struct Seat {
    int engine; // -1: empty
    Player player;
    uint64_t last_used;
} Seat;

struct Table {
    const TableRules *rules;
    int cancel_fd;
    Seat *seats; // owned
    int seat_count;
    uint64_t games;
};

// With few engines in all, every table keeps its own of each; else only those that play.
static int seats_of(size_t engines, int tables) {
    return engines * (size_t)tables <= SEATS_ALL ? (int)engines : 2;
}

Table *table_new(const TableRules *rules, int cancel_fd) {
    Table *table = mem_alloc_zero(1, sizeof *table);
    table->rules = rules;
    table->cancel_fd = cancel_fd;
    table->seat_count = seats_of(rules->roster->count, rules->tables);
    table->seats = mem_alloc_zero((size_t)table->seat_count, sizeof *table->seats);
    for (int i = 0; i < table->seat_count; i++)
        table->seats[i].engine = -1;
    return table;
}

static void leave_seat(Seat *seat) {
    if (seat->engine >= 0)
        seat->player.ops->close(seat->player.self);
    seat->engine = -1;
}

void table_free(Table *table) {
    if (table == NULL)
        return;
    for (int i = 0; i < table->seat_count; i++)
        leave_seat(&table->seats[i]);
    free(table->seats);
    free(table);
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
    if (roster_player(table->rules->roster, (size_t)engine, table->cancel_fd, &seat->player) != OK)
        return NULL;
    seat->engine = engine;
    seat->last_used = ++table->games;
    return &seat->player;
}

void table_sides(const EngineSpec *white, const EngineSpec *black, GameSide out[COLOR_NB]) {
    for (int c = 0; c < COLOR_NB; c++) {
        const EngineSpec *spec = c == WHITE ? white : black;
        int margin = spec->limits.move_ms > 0 ? MARGIN_MOVE_MS : MARGIN_CLOCK_MS;
        out[c] = (GameSide){spec->limits, spec->margin_ms < 0 ? margin : spec->margin_ms};
    }
}

Status table_play(Table *table, const TableGame *game, GameRecord *out) {
    const TableRules *rules = table->rules;
    const EngineSpec *specs = rules->roster->specs;
    GameConfig setup = {.start = game->opening.start,
                        .opening = game->opening.moves,
                        .opening_count = game->opening.count,
                        .rules = rules->adjudication,
                        .cap_ms = rules->cap_ms};
    const Player *white = seat_player(table, game->white, game->black);
    const Player *black = white == NULL ? NULL : seat_player(table, game->black, game->white);
    if (black == NULL)
        return ERR_ENGINE;
    table_sides(&specs[game->white], &specs[game->black], setup.sides);
    game_play(&setup, white, black, out);
    return OK;
}

uint64_t table_descriptors(size_t engines, int tables) {
    return process_descriptors((uint64_t)tables, (uint64_t)seats_of(engines, tables));
}

// --- as bytes ---

void table_rules_pack(const TableRules *rules, Str *out) {
    adjudication_pack(&rules->adjudication, out);
    bytes_add_short(out, rules->cap_ms);
}

void table_rules_unpack(ByteReader *in, TableRules *out) {
    out->adjudication = adjudication_unpack(in);
    out->cap_ms = bytes_short(in);
}

void table_game_pack(const TableGame *game, Str *out) {
    bytes_add_short(out, game->white);
    bytes_add_short(out, game->black);
    opening_pack(&game->opening, out);
}

void table_game_unpack(ByteReader *in, size_t engines, TableGame *out) {
    const int last = engines > 0 && engines <= INT_MAX ? (int)engines - 1 : 0;
    out->white = bytes_short_in(in, 0, last);
    out->black = bytes_short_in(in, 0, last);
    in->failed = in->failed || out->white == out->black;
    opening_unpack(in, &out->opening);
}
