// SPDX-License-Identifier: GPL-3.0-or-later
// The engines of an event, with the weights of those that play inside the process: read once,
// whoever plays afterwards, on whatever machine.
#pragma once

#include "base/bytes.h"
#include "match/play/player_create.h"

typedef struct EngineSet {
    const EngineSpec *specs; // borrowed, or `owned`
    EngineSpec *owned;
    Weights **weights; // owned, and each: NULL where an engine has none
    size_t count;
} EngineSet;

// Reads and checks the weights and options of players inside the process. `specs` is borrowed while
// the engines lives. Close it whatever came of it.
MUST_CHECK Status engine_set_open(EngineSet *out, const EngineSpec *specs, size_t count);
void engine_set_close(EngineSet *engines);
// Makes a player of an engine; see player_create.
MUST_CHECK Status engine_set_player(const EngineSet *engines, size_t engine, int cancel_fd,
                                    Player *out);

// Everything as bytes, with hashes of the programs; and back. ERR_ARG where a program is another
// one here, or there is none. Close it whatever came of it.
void engine_set_pack(const EngineSet *engines, Str *out);
MUST_CHECK Status engine_set_unpack(ByteReader *in, EngineSet *out);
