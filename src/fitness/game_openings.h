// SPDX-License-Identifier: GPL-3.0-or-later
// The openings that organisms play from, shared out: to evolution, to the play-off at its end, and
// to the verdict.
#pragma once

#include "chess/position.h"
#include "fitness/fitness.h"

typedef struct GameOpenings {
    Position *positions; // in an order that depends on the seed; owned
    size_t count;
    size_t evolution;  // the first so many are for evolution, the others for the verdict
    size_t playoff;    // of evolution's, the last so many are for the play-off
    bool from_initial; // evolution's games begin at the initial position instead
} GameOpenings;

// Reads the files that the settings name; their paths become the problem's.
MUST_CHECK Status game_openings_load(GameOpenings *out, Problem *problem, const RunConfig *config);
void game_openings_free(GameOpenings *openings);

// One of a generation's openings: of those drawn for one use, that of this number.
Position game_openings_draw(const GameOpenings *openings, const Problem *problem, uint32_t run,
                            uint32_t generation, uint32_t use, unsigned number);
// One of a stage of a play-off: the same for all of its meetings, and none of earlier stages as
// long as there are others.
Position game_openings_of_playoff(const GameOpenings *openings, uint32_t run, uint32_t stage,
                                  unsigned number);
// How many a stage has.
size_t game_openings_of_stage(const GameOpenings *openings);
// How many are for the verdict, and one of them.
size_t game_openings_unseen(const GameOpenings *openings);
const Position *game_openings_of_verdict(const GameOpenings *openings, size_t number);

// Goes on with a hash over all of them, and appends how they are shared out.
uint64_t game_openings_hash(const GameOpenings *openings, uint64_t hash);
void game_openings_describe(const GameOpenings *openings, Str *out);
