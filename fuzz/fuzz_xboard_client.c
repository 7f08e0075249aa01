// SPDX-License-Identifier: GPL-3.0-or-later
// Input: what an XBoard engine says in two games, whatever it is told. The same holds as for UCI.
#include "fuzz/engine_games.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    engine_games_play(PROTOCOL_XBOARD, "cmd=engine", view_of((const char *)data, size));
    return 0;
}
