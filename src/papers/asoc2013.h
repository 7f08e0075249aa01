// SPDX-License-Identifier: GPL-3.0-or-later
// What the files on Applied Soft Computing 2013 have in common. Names of steps: "33-10" are the
// runs of 33 weights with Pr = 10, "start-33" generation 0 of such runs.
#pragma once

#include "papers/paper.h"

// ASOC_KEPT: players of the past that the preset keeps.
enum { ASOC_GENERATIONS = 200, ASOC_POSITIONS = 4000, ASOC_ROUNDS = 100, ASOC_KEPT = 20 };

// Chances Pr in percent, ended by -1: those of both scales, and those of the full one alone.
extern const int asoc_chances[], asoc_more_chances[];
// Numbers of training positions in Table 10 besides 4,000, and sizes of the archive, ended by -1.
extern const int asoc_sizes[], asoc_archives[];

// An engine that searches deeper on the same positions.
typedef struct AsocYardstick {
    const char *step, *engine, *name;
    int depth;
    double quick, papers; // seconds at each scale; 0: not at that scale
} AsocYardstick;
extern const AsocYardstick asoc_yardsticks[]; // ended by a step of NULL

// The plies of a search in games at this scale.
int asoc_plies(const Plan *plan);

// Pages: the first stage, learning from moves, and all games.
MUST_CHECK Status asoc_tell_moves(const Plan *plan, Page *page);
MUST_CHECK Status asoc_tell_games(const Plan *plan, Page *page);
