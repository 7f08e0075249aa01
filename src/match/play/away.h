// SPDX-License-Identifier: GPL-3.0-or-later
// Tables on other ranks: engines run on the rank that plays, and its clock is the one that counts.
// Used by rank 0's main thread. Where there are no other ranks it is NULL, which everything takes.
#pragma once

#include "dist/ranks.h"
#include "dist/service.h"
#include "match/play/table.h"

typedef struct Away Away;

// Who knows the games. All are called by the thread that runs it.
typedef struct AwayHost {
    void *context;
    // The next game for a table that is free; false where there is none at present.
    bool (*take)(void *context, int table, TableGame *out);
    // What came of it; the record is the host's to free. A failure has its reason in
    // error_message(), and no record.
    void (*end)(void *context, int table, Status status, GameRecord *record);
    // True once games had better be broken off.
    bool (*is_stopping)(void *context);
    // True when no more games will come.
    bool (*is_over)(void *context);
    int tables_here; // that are played at meanwhile
} AwayHost;

// Puts so many tables on each other rank. Fails where a rank cannot play: it has another engine, or
// too few files may be open there.
MUST_CHECK Status away_open(Away **out, DistRanks *ranks, const TableRules *rules, int tables);
void away_close(Away *away);
// How many there are in all.
int away_tables(const Away *away);
// Plays until the host says that it is over.
void away_play(Away *away, const AwayHost *host);

// Adds games that were played here to what everything took.
void away_count(Away *away, uint64_t games, int64_t elapsed_ns);

// What the other ranks do.
extern const DistService away_service;
