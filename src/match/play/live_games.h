// SPDX-License-Identifier: GPL-3.0-or-later
// The games that go on, for whoever watches: DIRECTORY/live.jsonl, a line for each, which a thread
// of its own replaces a few times a second where something changed, and which is removed at the
// end. It is for looking at only: nothing reads it back, and where it cannot be written, it is not.
#pragma once

#include "match/play/game.h"

enum {
    LIVE_GAMES_MAX = 16, // at a time; others are not told
    LIVE_PAUSE_MS = 300, // between two versions of the file
};

extern const char live_games_file[]; // its name

// `directory` is copied.
LiveGames *live_games_start(const char *directory);
// All games must have ended. NULL is fine.
void live_games_stop(LiveGames *live);

// A place for a game; NULL where there is none, or nobody watches (`live` is NULL). The names are
// copied; `number` counts from 1.
LiveGame *live_game_begin(LiveGames *live, uint64_t number, const char *white, const char *black);
// NULL is fine.
void live_game_end(LiveGame *game);
// What a game has come to, before its next move: what is new in the record is copied. `clocks_ms`
// is what White and Black have left, less than 0 without a clock. NULL as the game is fine.
void live_game_tell(LiveGame *game, const GameRecord *record, const int64_t clocks_ms[COLOR_NB]);
