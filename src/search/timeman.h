// SPDX-License-Identifier: GPL-3.0-or-later
// How long to think.
#pragma once

#include "chess/types.h"

// What the clock says; times of 0 mean "not given".
typedef struct ClockState {
    bool given;
    int64_t time_ms, increment_ms;
    int moves_to_go; // 0: for the rest of the game
    int64_t overhead_ms;
} ClockState;

typedef struct TimePlan {
    int64_t optimum_ms; // start no new iteration after this, give or take
    int64_t maximum_ms; // stop at once
} TimePlan;

// Never plans more than is left; at least a millisecond.
TimePlan time_plan(const ClockState *clock);

// The optimum scaled by how settled the search is: `stable` iterations with the same best move, a
// score that fell by `drop` centipawns, and the share of nodes spent on the best move.
int64_t time_plan_optimum(const TimePlan *plan, int stable, int drop, double best_share);
