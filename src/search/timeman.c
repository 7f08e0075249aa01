// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/timeman.h"

enum { MOVES_LEAST_SAVED = 2, RESERVE_MS = 150 };
#define TIME_MOST_MS INT64_C(1000000000000) // thirty years: products stay in range

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

TimePlan time_plan(const ChessClock *clock, const SearchNumbers *numbers) {
    const int64_t expected = numbers->time_moves;
    int64_t left = max64(min64(clock->time_ms, TIME_MOST_MS), 1);
    int64_t increment = min64(clock->inc_ms, TIME_MOST_MS);
    // What the machine's own hiccups may cost without losing the game.
    bool last = clock->moves == 1;
    int64_t usable =
        max64(left - (last ? min64(left / 8, RESERVE_MS / 3) : min64(left / 3, RESERVE_MS)), 1);
    int64_t moves =
        clock->moves > 0 ? min64((int64_t)clock->moves + MOVES_LEAST_SAVED, expected) : expected;
    if (last)
        moves = 1;
    int64_t optimum = usable / moves + increment * numbers->time_increment / 100;
    int64_t maximum =
        last ? usable
             : min64(optimum * numbers->time_most / 100, usable * numbers->time_most_left / 100);
    maximum = max64(min64(maximum, usable), 1);
    return (TimePlan){max64(min64(optimum, maximum), 1), maximum};
}

// 125 hundredths are 1.25.
static double hundredths(int number) {
    return number / 100.0;
}

// What scales a time, whatever the numbers are.
static double positive(double factor) {
    return factor < 0.05 ? 0.05 : factor;
}

int64_t time_plan_optimum(const TimePlan *plan, const SearchNumbers *numbers, int stable, int drop,
                          double best_share) {
    double steady = stable > 8 ? 8 : stable;
    double fall = drop > 100 ? 100 : drop < -30 ? -30 : drop;
    double scale =
        positive(hundredths(numbers->time_changed) - hundredths(numbers->time_stable) * steady) *
        positive(1.0 + fall / numbers->time_drop) *
        positive(hundredths(numbers->time_unsure) - hundredths(numbers->time_sure) * best_share);
    int64_t scaled = (int64_t)((double)plan->optimum_ms * scale);
    return min64(max64(scaled, 1), plan->maximum_ms);
}
