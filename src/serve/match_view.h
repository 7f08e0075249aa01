// SPDX-License-Identifier: GPL-3.0-or-later
// A match or tournament as its folder tells it: who plays, what came of the games so far, and the
// games themselves.
#pragma once

#include "chess/types.h"
#include "match/rating/sprt.h"
#include "match/schedule/schedule.h"
#include "serve/tail.h"

// A finished game: where it is in the files.
typedef struct MatchEntry {
    uint64_t line_at, pgn_at; // in games.jsonl and games.pgn
    uint32_t line_length, pgn_length;
    uint32_t opening, plies;
    uint16_t white, black; // players
    uint8_t result;        // GameResult
} MatchEntry;

// {0} has read nothing.
typedef struct MatchView {
    Tail log, live;
    MatchEntry *games; // owned
    size_t count, capacity;
    uint64_t pgn_to; // the end of the last game's text
    char **players;  // owned: names, in the order of their first games
    size_t player_count, player_capacity;
    bool has_settings, has_sprt;
    ScheduleConfig schedule; // no players: it could not be read
    uint64_t total;          // games that there are to be; 0 where that is not known
    SprtConfig sprt;
} MatchView;

void match_view_free(MatchView *match);
// Reads what is new in its folder; true where there was something.
bool match_view_update(MatchView *match, const char *folder);
bool match_view_is_over(const MatchView *match);

// Appends its keys for the list of all, and those for its page.
void match_view_write_summary(const MatchView *match, Str *out);
void match_view_write(const MatchView *match, Str *out);
// Appends an array of at most `most` games from the index `from` on.
void match_view_write_games(const MatchView *match, size_t from, size_t most, Str *out);
