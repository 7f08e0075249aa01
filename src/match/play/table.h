// SPDX-License-Identifier: GPL-3.0-or-later
// A table at which one game after the other is played: it keeps its engines running between games.
// Used by one thread, on whatever machine; the games it plays depend on nothing but what it is
// told.
#pragma once

#include "match/play/game.h"
#include "match/play/openings.h"
#include "match/play/roster.h"

// What all tables of an event have in common.
typedef struct TableRules {
    const Roster *roster; // borrowed
    AdjudicationRules adjudication;
    int64_t cap_ms; // of a move without a clock
    int tables;     // how many there are in this process: many keep fewer engines running each
} TableRules;

// A game to play.
typedef struct TableGame {
    int white, black; // of the roster
    Opening opening;
} TableGame;

typedef struct Table Table;

// `rules` is borrowed while the table lives. Games are broken off when `cancel_fd` becomes
// readable; -1: never.
Table *table_new(const TableRules *rules, int cancel_fd);
// Ends its engines. NULL is fine.
void table_free(Table *table);
// Plays it. Fails where a player cannot even be made; all else is in the record.
MUST_CHECK Status table_play(Table *table, const TableGame *game, GameRecord *out);

// What White and Black of a game play with.
void table_sides(const EngineSpec *white, const EngineSpec *black, GameSide out[COLOR_NB]);
// How many files, pipes and the like the tables have open at a time.
uint64_t table_descriptors(size_t engines, int tables);

void table_rules_pack(const TableRules *rules, Str *out);
// All but `roster` and `tables`, which are the reader's own.
void table_rules_unpack(ByteReader *in, TableRules *out);
void table_game_pack(const TableGame *game, Str *out);
// Both players are of the roster, and not the same. Where the bytes are no game, in->failed is set.
void table_game_unpack(ByteReader *in, size_t engines, TableGame *out);
