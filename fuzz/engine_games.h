// SPDX-License-Identifier: GPL-3.0-or-later
// Games of an engine that says what the fuzzer likes.
#pragma once

#include "engines/spec.h"

// Plays some games of such an engine, which is given these options, against one that moves at
// random; checks the games and that nothing is left of the engine.
void engine_games_play(Protocol protocol, const char *options, StrView said);
