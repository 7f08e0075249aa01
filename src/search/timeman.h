// SPDX-License-Identifier: GPL-3.0-or-later
// How long to think.
#pragma once

#include "chess/limits.h"
#include "search/features.h"

typedef struct TimePlan {
    int64_t optimum_ms; // start no new iteration after this, give or take
    int64_t maximum_ms; // stop at once
} TimePlan;

// Never plans more than is left; at least a millisecond.
TimePlan time_plan(const ChessClock *clock, const SearchNumbers *numbers);

// The optimum scaled by how settled the search is: `stable` iterations with the same best move, a
// score that fell by `drop` centipawns, and the share of nodes spent on the best move.
int64_t time_plan_optimum(const TimePlan *plan, const SearchNumbers *numbers, int stable, int drop,
                          double best_share);
