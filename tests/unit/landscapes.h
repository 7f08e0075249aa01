// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up landscapes of strength over five options, in Elo, and games with the noise that real ones
// have.
#pragma once

#include "base/rng.h"

#include <math.h>

enum { LANDSCAPE_SIZE = 5 };

typedef double (*Landscape)(const double *values);

// Options go from 0 to 200. All landscapes have their top at the same values.
static const double landscape_start[LANDSCAPE_SIZE] = {60, 100, 0, 100, 0};
static const double landscape_top[LANDSCAPE_SIZE] = {100, 100, 100, 100, 100};

// Weights of an evaluation whose first one is what the others are measured by.
static inline double by_ratios(const double *v) {
    static const double loss[LANDSCAPE_SIZE] = {30, 60, 50, 25, 50};
    double sum = 0;
    for (int i = 0; i < LANDSCAPE_SIZE; i++) {
        const double ratio = i == 0 ? v[0] / 100 : (v[i] + 20) / (v[0] + 20);
        sum -= loss[i] * pow(ratio - 1, 2) / (1 + 0.3 * fabs(ratio - 1));
    }
    return sum;
}

// Steep on one side and flat on the other.
static inline double by_cliffs(const double *v) {
    static const double loss[LANDSCAPE_SIZE] = {300, 80, 80, 40, 80};
    double sum = 0;
    for (int i = 0; i < LANDSCAPE_SIZE; i++) {
        const double away = v[i] / 100 - 1, part = loss[i] * away * away * (away < 0 ? 1 : 0.15);
        sum -= part / (1 + part / 400);
    }
    return sum;
}

// Half points of one game: about a third are drawn.
static inline int play_game(Rng *rng, double elo) {
    const double draw_elo = 100, chance = rng_real(rng);
    const double wins = 1 / (1 + pow(10, (draw_elo - elo) / 400));
    const double losses = 1 / (1 + pow(10, (draw_elo + elo) / 400));
    return chance < wins ? 2 : chance < wins + losses ? 0 : 1;
}

// Two games from an opening that is good for White.
static inline int play_pair(Rng *rng, double elo) {
    const double white = 160 * rng_real(rng) - 40;
    return play_game(rng, elo + white) + play_game(rng, elo - white);
}

// What share of the Elo that the start lacks some values have won back.
static inline double landscape_regained(Landscape landscape, const double *values) {
    const double before = landscape(landscape_start);
    return (landscape(values) - before) / (landscape(landscape_top) - before);
}
