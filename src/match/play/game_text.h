// SPDX-License-Identifier: GPL-3.0-or-later
// Whether text that lies on the disk is a certain game as we write it, or the beginning of it: what
// a process that was killed while it wrote leaves.
#pragma once

#include "match/play/game_json.h"

typedef enum GameText { GAME_TEXT_OTHER, GAME_TEXT_PART, GAME_TEXT_WHOLE } GameText;

// Of text such as game_write_pgn's, by its round and players; times, moves and result may be any. A
// whole game is followed by nothing.
GameText game_text_in_pgn(StrView text, const GameNames *names);
// True when a line such as game_write_json's begins as this game's does.
bool game_text_in_json(StrView text, const MatchGame *game, const GameNames *names);
