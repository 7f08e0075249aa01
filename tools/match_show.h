// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer match says while it plays. In a terminal a table at the bottom is redrawn in
// place; elsewhere there are plain lines, as cutechess has them.
#pragma once

#include "base/progress.h"
#include "tools/match_args.h"

typedef struct MatchShow {
    const MatchArgs *args;
    const Match *match;
    bool is_live;
    int lines; // of the table on the screen
    Progress progress;
    int64_t drawn_ns;
    GameLatency latency; // of all games played now
} MatchShow;

void match_show_begin(MatchShow *show, const MatchArgs *args, const Match *match);
void match_show_game_started(MatchShow *show, const MatchGame *game, uint64_t total);
// False when standard output is closed.
bool match_show_game_ended(MatchShow *show, const MatchGame *game, const GameRecord *record);
// The whole result.
void match_show_end(MatchShow *show);
