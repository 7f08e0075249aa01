// SPDX-License-Identifier: GPL-3.0-or-later
// Input: what a UCI engine says in two games, whatever it is told. All moves that count are legal,
// what is written of the games can be read, and an engine that fails is started anew, once a game.
#include "fuzz/engine_games.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    engine_games_play(PROTOCOL_UCI, "cmd=engine option.Hash=1", view_of((const char *)data, size));
    return 0;
}
