// SPDX-License-Identifier: GPL-3.0-or-later
// What algorithms share that learn from games between pairs of organisms around one set of values.
#pragma once

#include "evolve/algorithm.h"

// ERR_ARG unless there is one organism to start from at the most, and each opening is played with
// both colours; `name` is the algorithm's. Makes the population even.
MUST_CHECK Status pairs_open(Population *pairs, const EvolveRun *run, const char *name,
                             double games);
// Rows 2i and 2i + 1 meet.
void pairs_meet(const Population *pairs, double games, EvolveMeeting *meetings);
// A step of so many units of a parameter: at most a quarter of its box; of whole numbers at least
// one half, for organisms to differ in, and of others `least` of the box.
double pairs_step(const EvolveRun *run, size_t parameter, double units, double least);
// A value moved into its box, without rounding.
double pairs_clamp(const EvolveRun *run, size_t parameter, double value);
