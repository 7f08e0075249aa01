// SPDX-License-Identifier: GPL-3.0-or-later
// Models of players that come with the program: what is told of each, and who of them played a
// game.
#pragma once

#include "serve/server.h"

enum { PLAYER_VIEW_SECONDS = 10 }; // that the moves of some games are looked at, at the most

// Appends an array of the models: whose moves they were made from, how, and in which weights they
// differ most from everybody's.
void player_view_write_models(Str *out);
// Appends an object with what the games say: of both sides of one game, or of a player in several.
MUST_CHECK Status player_view_recognize(Thinkers *thinkers, StrView pgn, const char *name,
                                        Str *out);
